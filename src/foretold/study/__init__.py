"""What a decision is worth, by the trained player: hints for a view, reviews of games."""

from foretold.study.advice import Advice, Grade
from foretold.study.analysis import Analysis, Choice, analyse, analyse_all
from foretold.study.review import Decision, Review, review

__all__ = [
    "Advice",
    "Analysis",
    "Choice",
    "Decision",
    "Grade",
    "Review",
    "analyse",
    "analyse_all",
    "review",
]
