import { LaunchError } from '../launch-error.ts';

/** A request that carries JSON. */
export interface APIRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly userAgent?: string;
}

/** An answer that is no success. */
export class APIError extends LaunchError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('Process', message);
    this.status = status;
  }
}

/** An answer, whatever its status. */
export interface APIAnswer {
  readonly status: number;
  readonly text: string;
  /** What the server warns of. */
  readonly warnings: readonly string[];
}

/** Asks an API server for JSON, as one user. */
export abstract class JSONClient {
  /** @throws whatever the way there fails with */
  abstract ask(request: APIRequest): Promise<APIAnswer>;

  /** @throws APIError with the server's own message; whatever the way there fails with */
  async send<T>(request: APIRequest): Promise<T> {
    const { status, text } = await this.ask(request);
    if (status < 300) return JSON.parse(text) as T;
    throw new APIError(status, statusMessage(text) ?? `${request.method} ${request.path}: ${status}`);
  }
}

/** Waits for a call; an answer with this status is no failure of it. @throws whatever else it fails with */
export async function unlessAnswered(status: number, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof APIError && error.status === status)) throw error;
  }
}

/** The texts of a Warning header: `299 - "…", 299 - "…"`. */
export function warningsIn(header: string | string[] | undefined): string[] {
  const all = [
    ...[header ?? []]
      .flat()
      .join(', ')
      .matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g),
  ];
  return all.map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

function statusMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
