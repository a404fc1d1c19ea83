import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Burst } from "../src/session/burst.ts";

test("the first is done at once, a storm only so often, and its last is not lost", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let done = 0;
    const burst = new Burst(50, () => done++);
    burst.ask();
    assert.equal(done, 1);
    for (let i = 0; i < 100; i++) burst.ask();
    assert.equal(done, 1);
    mock.timers.tick(50);
    assert.equal(done, 2);
    burst.ask();
    assert.equal(done, 2);
    mock.timers.tick(50);
    assert.equal(done, 3);
    mock.timers.tick(50);
    assert.equal(done, 3);
    burst.ask();
    assert.equal(done, 4, "after a pause at once again");
    burst.ask();
    burst.end();
    mock.timers.tick(500);
    assert.equal(done, 4);
  } finally {
    mock.timers.reset();
  }
});
