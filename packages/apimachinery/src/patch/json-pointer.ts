/** The key that a step of a JSON pointer stands for (RFC 6901). */
export function pointerKey(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
