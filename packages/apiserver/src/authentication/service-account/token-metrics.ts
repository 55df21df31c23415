import type { MetricRegistry, ValueCell } from '@kubechain/shared-storage/metrics';

/** What tokens of service accounts are used, under the reference's names (pkg/serviceaccount/metrics.go, 1.36). */
export class ServiceAccountTokenMetrics {
  /** Tokens without audiences, good ones or not. */
  readonly legacy: ValueCell;
  /** Bound tokens that warn, before and after they do. */
  readonly valid: ValueCell;
  readonly stale: ValueCell;
  /** Tokens of Secrets: good ones by who has made the Secret, and of those that are marked as invalid. */
  readonly legacyManual: ValueCell;
  readonly legacyAuto: ValueCell;
  readonly legacyInvalid: ValueCell;

  constructor(registry: MetricRegistry) {
    const counter = (name: string, help: string): ValueCell => registry.counter(name, help, []).cell();
    this.legacy = counter(
      'serviceaccount_legacy_tokens_total',
      '[ALPHA] Cumulative legacy service account tokens used',
    );
    this.stale = counter(
      'serviceaccount_stale_tokens_total',
      '[ALPHA] Cumulative stale projected service account tokens used',
    );
    this.valid = counter(
      'serviceaccount_valid_tokens_total',
      '[ALPHA] Cumulative valid projected service account tokens used',
    );
    this.legacyManual = counter(
      'serviceaccount_legacy_manual_token_uses_total',
      '[ALPHA] Cumulative manually created legacy tokens used',
    );
    this.legacyAuto = counter(
      'serviceaccount_legacy_auto_token_uses_total',
      '[ALPHA] Cumulative auto-generated legacy tokens used',
    );
    this.legacyInvalid = counter(
      'serviceaccount_invalid_legacy_auto_token_uses_total',
      '[ALPHA] Cumulative invalid auto-generated legacy tokens used',
    );
  }
}
