/** The text of whatever was thrown, for messages that quote it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
