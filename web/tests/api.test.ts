import { afterEach, expect, it, vi } from "vitest";
import { getMyGames, playNow, putMe } from "../src/lib/net/api";
import { keptBytes, sha256, unhex } from "../src/lib/net/fair";

function answerWith(status: number, body: string) {
  const fetched = vi.fn(async (_path: string, _request?: RequestInit) => {
    return new Response(body, { status });
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

it("answers with what the server says", async () => {
  answerWith(200, '{"games": []}');
  expect(await getMyGames()).toEqual([]);
});

it("throws a refusal as it came", async () => {
  const refusal = { code: "bad_name", params: { most: 24 }, reason: "a name has…" };
  answerWith(422, JSON.stringify(refusal));
  await expect(putMe({ name: "" })).rejects.toEqual(refusal);
});

it.each([
  [502, "<html>Bad gateway</html>"],
  [500, '{"detail": "no refusal"}'],
])("calls %i with %s unreachable", async (status, body) => {
  answerWith(status, body);
  await expect(putMe({ name: "Ana" })).rejects.toMatchObject({ code: "unreachable" });
});

it("promises bytes for the shuffle and keeps them for the table", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const fetched = answerWith(200, '{"code": "KQXMRP"}');
  expect(await playNow({ level: "adept" }, () => undefined)).toBe("KQXMRP");
  const sent = JSON.parse(String(fetched.mock.calls[0]?.[1]?.body)) as { commitment: string };
  expect(await sha256(unhex(keptBytes("KQXMRP") ?? ""))).toBe(sent.commitment);
});

it("plays on where the browser cannot hash", async () => {
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes });
  const fetched = answerWith(200, '{"code": "KQXMRP"}');
  await playNow({ level: "adept" }, () => undefined);
  expect(fetched.mock.calls[0]?.[1]?.body).toBe(`{"level":"adept"}`);
});
