import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentChildren, VNode } from "preact";
import { Message } from "../src/log/Message.tsx";

type Props = Record<string, unknown> & { children?: ComponentChildren };

test("a message that gets the focus is read out with what it says, not by its author alone", () => {
  const line = { key: "ada/a b", seq: 1, sender_id: "ada", client_id: "a b", body: "hello", ts: 1 };
  const props = { line, sender: { account_id: "ada", handle: "ada", display_name: "Ada" }, acts: {}, seenBy: 0 };
  const memo = new (Message as unknown as new (props: unknown) => { props: unknown; render(): VNode<Props> })(props);
  memo.props = props;
  const drawn = memo.render();
  const article = (drawn.type as (props: Props) => VNode<Props>)(drawn.props);
  const described = String(article.props["aria-describedby"]);
  assert.match(described, /^\S+$/);
  const content = [article.props.children].flat().find((child) => (child as VNode<Props> | undefined)?.props?.["id"] === described) as VNode<Props>;
  assert.equal(content.props["class"], "message-content");
});
