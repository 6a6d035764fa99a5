"""What a decision is worth, by the trained player: hints for a view, reviews of games.

`analysis` weighs the choices of a view, `advice` and `review` say what follows from it, as codes;
`wording`, `text` and `page` put it into English, for a terminal or as a page.

May import `bots` and `report`, and what is below them.
"""

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
