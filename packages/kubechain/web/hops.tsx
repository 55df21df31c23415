import type { ComponentChildren, JSX } from 'preact';

interface HopsOptions {
  readonly servers: readonly string[];
  /** The process that a request has come to. */
  readonly process: string;
  readonly children: ComponentChildren;
}

/** How far a request has come: a dot for each process. */
export function Hops({ children, process, servers }: HopsOptions): JSX.Element {
  const at = servers.indexOf(process);
  return (
    <span class="hops" title={process}>
      {servers.map((name, index) => (
        <i key={name} class={index === at ? 'here' : index < at ? 'on' : ''} />
      ))}
      {children}
    </span>
  );
}
