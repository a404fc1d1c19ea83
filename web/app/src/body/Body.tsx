import { memo } from "../shell/memo.ts";
import { go, parseRoute } from "../shell/route.ts";
import { parseBody, type Mentioned } from "./parse.ts";

/** A place of this client opens here, not in another tab; unless a key that is held asks for one. */
function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  const place = link.origin === location.origin && link.pathname === location.pathname ? parseRoute(link.hash) : undefined;
  if (place?.name !== "room" || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(place);
}

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
              <a key={i} href={piece.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto" onClick={follow}>
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
