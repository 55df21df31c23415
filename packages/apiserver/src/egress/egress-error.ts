/** Why a proxy has made no connection, in the reference's words. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  /** Whether the proxy could not be connected, or makes no connection. */
  readonly stage: 'connect' | 'proxy';

  constructor(
    message: string,
    { cause, stage = 'proxy' }: ErrorOptions & { readonly stage?: 'connect' | 'proxy' } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.stage = stage;
  }
}
