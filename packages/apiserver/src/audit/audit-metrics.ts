import type { MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { Logger } from '../logging/logger.ts';
import type { AuditLevel } from '../request/audit-decision.ts';
import type { AuditEvent } from './audit-event.ts';

const log = new Logger('audit');

/** Counts events, and tells operators of those that did not get to where they belong (audit/metrics.go, 1.36). */
export class AuditMetrics {
  readonly #errors: ValueFamily;
  readonly #events: ReturnType<ValueFamily['cell']>;
  readonly #levels: ValueFamily;
  readonly #rejected: ReturnType<ValueFamily['cell']>;

  constructor(registry: MetricRegistry) {
    this.#errors = registry.counter(
      'apiserver_audit_error_total',
      '[ALPHA] Counter of audit events that failed to be audited properly. Plugin identifies the plugin ' +
        'affected by the error.',
      ['plugin'],
    );
    this.#events = registry
      .counter(
        'apiserver_audit_event_total',
        '[ALPHA] Counter of audit events generated and sent to the audit backend.',
        [],
      )
      .cell();
    this.#levels = registry.counter(
      'apiserver_audit_level_total',
      '[ALPHA] Counter of policy levels for audit events (1 per request).',
      ['level'],
    );
    this.#rejected = registry
      .counter(
        'apiserver_audit_requests_rejected_total',
        '[ALPHA] Counter of apiserver requests rejected due to an error in audit logging backend.',
        [],
      )
      .cell();
  }

  event(): void {
    this.#events.inc();
  }

  level(level: AuditLevel): void {
    this.#levels.cell(level).inc();
  }

  rejected(): void {
    this.#rejected.inc();
  }

  /** @param plugin the backend that lost them */
  lost(plugin: string, reason: string, events: readonly AuditEvent[]): void {
    this.#errors.cell(plugin).inc(events.length);
    log.error(`Error in audit plugin '${plugin}' affecting ${events.length} audit events`, reason, {
      auditIDs: events
        .slice(0, 10)
        .map(({ auditID }) => auditID)
        .join(','),
    });
  }
}
