/** A place in JavaScript that a debugger has stopped at. */
export interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/**
 * `name (file:line) < name (file:line) < …`, innermost first, twenty at most. It must not use anything outside of
 * itself, since it is also given to a thread as its own text.
 * @param scripts files by the id of their script
 */
export function stackText(frames: readonly CallFrame[], scripts: ReadonlyMap<string, string>): string {
  return frames
    .slice(0, 20)
    .map(({ functionName, location }) => {
      const place = `${scripts.get(location.scriptId) ?? ''}:${location.lineNumber + 1}`;
      return functionName === '' ? place : `${functionName} (${place})`;
    })
    .join(' < ');
}
