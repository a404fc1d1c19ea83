/** Puts a text into the clipboard. Answers whether it is there; pages without TLS have only the old way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const box = document.createElement("textarea");
  const before = document.activeElement;
  box.value = text;
  box.className = "sr-only";
  // What lies beneath an open dialog can have no focus.
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  box.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    box.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
