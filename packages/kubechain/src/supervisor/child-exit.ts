/** How a child ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it had been ready. */
  readonly wasReady: boolean;
  /** The last line that it wrote, which is where servers say why they cannot start. */
  readonly lastLine: string;
}

/** `with code 1` or `by SIGKILL`. */
export function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `with code ${code ?? 'unknown'}` : `by ${signal}`;
}
