import { useEffect, useState } from "preact/hooks";
import { faultText } from "../session/faults.ts";

/** A list of the server's: read when it is shown, and again when asked to. */
export function useList<T>(read: () => Promise<readonly T[]>, key: string): { list: readonly T[] | undefined; fault: string | undefined; again: () => void } {
  const [list, setList] = useState<readonly T[]>();
  const [fault, setFault] = useState<string>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let late = false;
    read().then(
      (found) => {
        if (late) return;
        setList(found);
        setFault(undefined);
      },
      (error) => late || setFault(faultText(error)),
    );
    return () => {
      late = true;
    };
  }, [key, turn]);
  return { list, fault, again: () => setTurn(turn + 1) };
}
