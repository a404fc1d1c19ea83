import { Component, h, type ComponentType, type FunctionComponent } from "preact";

/** A component that is drawn anew only when one of its properties is another. */
export function memo<P extends object>(render: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      for (const name in then) if (then[name] !== now[name]) return true;
      for (const name in now) if (!(name in then)) return true;
      return false;
    }
    override render() {
      return h(render, this.props as P & object as never);
    }
  };
}
