import type { ConfiguredExpression } from '../../expressions/configured-expression.ts';

/** Where a part of a user comes from: a claim as it stands behind a prefix, or an expression over all claims. */
export type ClaimMapping =
  | { readonly kind: 'claim'; readonly claim: string; readonly prefix: string }
  | { readonly kind: 'expression'; readonly expression: ConfiguredExpression };

/** An expression that has to be true, and what is said where it is not. */
export interface ValidationRule {
  readonly expression: ConfiguredExpression;
  readonly message: string;
}

/** An issuer of tokens, and who their bearers are. */
export interface ConfiguredIssuer {
  readonly url: string;
  /** Where its document is, if it is not below its URL. */
  readonly discoveryURL: string;
  /** PEM; empty: the authorities that the machine trusts. */
  readonly certificateAuthority: string;
  /** Which selection of egress its documents are read through; default: none. */
  readonly egress?: 'cluster' | 'controlplane';
  /** A token is for one of them at least. */
  readonly audiences: readonly string[];
  /** Claims that have to be there with these texts. */
  readonly requiredClaims: readonly { readonly claim: string; readonly value: string }[];
  readonly claimRules: readonly ValidationRule[];
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping;
  readonly uid?: ClaimMapping;
  readonly extra: readonly { readonly key: string; readonly expression: ConfiguredExpression }[];
  readonly userRules: readonly ValidationRule[];
}
