/** A request of which every byte of the answer counts. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly contentType?: string;
}
