import { memo } from "../shell/memo.ts";
import { parseBody, type Mentioned } from "./parse.ts";

/** A body as text: links and mentions recognised, nothing of it ever read as markup. */
export const Body = memo(function Body({ body, mentioned }: { body: string; mentioned?: Mentioned | undefined }) {
  return (
    <>
      {parseBody(body, mentioned).map((piece, i) => {
        switch (piece.kind) {
          case "text":
            return piece.text;
          case "link":
            return (
              <a key={i} href={piece.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
                {piece.text}
              </a>
            );
          case "mention":
            return (
              <bdi key={i} class={piece.self ? "mention mention-self" : "mention"}>
                {piece.text}
              </bdi>
            );
        }
      })}
    </>
  );
});
