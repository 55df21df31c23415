/** A call of the control API. */
export interface ControlCall {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Its answer: JSON, or text. */
export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

export function created(body: unknown): ControlAnswer {
  return { status: 201, body };
}

export function refusal(status: number, message: string): ControlAnswer {
  return { status, body: { error: message } };
}
