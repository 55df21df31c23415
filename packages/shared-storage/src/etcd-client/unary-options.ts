/** How long a unary call may take, and who can give it up. */
export interface UnaryOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}
