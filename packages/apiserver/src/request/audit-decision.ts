/** How much of a request is recorded; each level includes the ones before it. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** What is recorded of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

const levels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];

/** Whether `level` records at least what `wanted` does. */
export function auditsAtLeast(level: AuditLevel, wanted: AuditLevel): boolean {
  return levels.indexOf(level) >= levels.indexOf(wanted);
}
