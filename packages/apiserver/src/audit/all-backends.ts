import type { AuditBackend, AuditHold } from './audit-event.ts';

/** Hands events to several backends; as slow and as strict as the slowest and strictest. */
export function allBackends(backends: readonly AuditBackend[]): AuditBackend {
  const [only, ...more] = backends;
  if (only !== undefined && more.length === 0) return only;
  return {
    holds: strictest(backends.map((backend) => backend.holds ?? 'nothing')),
    async process(events) {
      return (await Promise.all(backends.map(async (backend) => backend.process(events)))).every(Boolean);
    },
    async close() {
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}

/** What all of them together hold up. */
export function strictest(holds: readonly AuditHold[]): AuditHold {
  return (['requests', 'answers'] as const).find((hold) => holds.includes(hold)) ?? 'nothing';
}
