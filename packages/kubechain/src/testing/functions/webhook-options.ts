/** Which requests a webhook is asked about, and how: members of a MutatingWebhook or ValidatingWebhook. */
export interface WebhookOptions {
  /** Of the configuration and of the webhook. Default: `function-1.kubechain.test`. */
  readonly name?: string;
  readonly rules: readonly WebhookRule[];
  /** Default: Fail. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** How long the server waits for the function, 1 to 30. Default 10, the reference's. */
  readonly timeoutSeconds?: number;
  /** Default: None, so that dry runs are possible. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
}

/** The same for mutating ones. */
export interface MutatingWebhookOptions extends WebhookOptions {
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** Requests by their resource. */
export interface WebhookRule {
  /** `pods`, `pods/status`, `*`. */
  readonly resources: readonly string[];
  /** Default: all. */
  readonly apiGroups?: readonly string[];
  /** Default: all. */
  readonly apiVersions?: readonly string[];
  /** Default: CREATE and UPDATE. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** What a webhook configuration says of it; where it is and how it is called comes from the environment. */
export function webhookOf({ failurePolicy, rules, sideEffects, ...rest }: MutatingWebhookOptions): object {
  return {
    ...rest,
    failurePolicy: failurePolicy ?? 'Fail',
    sideEffects: sideEffects ?? 'None',
    admissionReviewVersions: ['v1'],
    rules: rules.map((rule) => ({ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], ...rule })),
  };
}
