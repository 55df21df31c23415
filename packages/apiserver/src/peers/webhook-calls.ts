/** A call of an admission webhook that has ended, as the journal tells it. */
export interface WebhookCall {
  /** Of the request that it was made for. */
  readonly auditID: string;
  readonly configuration: string;
  readonly webhook: string;
  readonly type: 'mutating' | 'validating';
  readonly durationMs: number;
  /** `failed`: it could not be asked, or gave no sense; `error`: what it answered could not be done. */
  readonly outcome: 'allowed' | 'denied' | 'failed' | 'error';
  /** Why it was not `allowed`. */
  readonly reason?: string;
  /** JSON patch as the webhook has written it; left out for secrets and tokens. */
  readonly patch?: string;
}

/** Told of each call before its request goes on. Never rejects. */
export type TellWebhookCall = (call: WebhookCall) => Promise<void>;

/** Where a process that serves the control API tells of its own calls; until the journal is there, nobody listens. */
export class WebhookCallBoard {
  #note: (call: WebhookCall) => void = () => undefined;

  readonly tell: TellWebhookCall = (call) => {
    this.#note(call);
    return Promise.resolve();
  };

  /** From now on calls are noted here. */
  listen(note: (call: WebhookCall) => void): void {
    this.#note = note;
  }
}
