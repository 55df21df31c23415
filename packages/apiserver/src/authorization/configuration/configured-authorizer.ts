import type { ConfiguredExpression } from '../../expressions/configured-expression.ts';

/** Types of authorizers besides webhooks; each may be there once. */
export type BuiltinAuthorizerType = 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC';

/** How a webhook is asked what callers may do. */
export interface ConfiguredWebhook {
  readonly kubeConfigFile: string;
  readonly version: 'v1' | 'v1beta1';
  /** Of one request. */
  readonly timeoutMs: number;
  /** How long a yes is believed; 0 is not at all. */
  readonly allowedTTLMs: number;
  /** How long everything else is. */
  readonly refusedTTLMs: number;
  /** What counts where it cannot be asked, or its conditions cannot be told. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** It is only asked about what meets all of them. */
  readonly conditions: readonly ConfiguredExpression[];
}

/** One authorizer of an ordered list, under the name that metrics show. */
export type ConfiguredAuthorizer =
  | { readonly type: BuiltinAuthorizerType; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: ConfiguredWebhook };
