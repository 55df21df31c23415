import { applyConflict } from '../errors/constructors.ts';
import { compareText, goQuote } from '../errors/go-format.ts';
import type { StatusError } from '../errors/status.ts';
import type { FieldPathElements, FieldSet } from './field-set.ts';
import { hasPath, pathText, pathsOf } from './field-set.ts';
import type { ManagerId } from './managed.ts';
import { managerInfo } from './managed.ts';

/** A field that an apply wants to change although another manager owns it. */
export interface Conflict {
  readonly manager: ManagerId;
  readonly path: FieldPathElements;
}

/** An apply that needs `force`. Becomes a Status with {@link conflictStatus} at the edge of this layer. */
export class ApplyConflicts extends Error {
  override readonly name = 'ApplyConflicts';
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    super(conflicts.map(({ manager, path }) => `conflict with ${goQuote(manager)}: ${pathText(path)}`).join('\n'));
    this.conflicts = conflicts;
  }
}

/** All conflicts, by manager and path. */
export function conflictsOf(sets: ReadonlyMap<ManagerId, FieldSet>): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const manager of [...sets.keys()].sort(compareText)) {
    for (const path of pathsOf(sets.get(manager) as FieldSet)) conflicts.push({ manager, path });
  }
  return conflicts;
}

/** Conflicts on fields that are not in a set. */
export function conflictsOutside(conflicts: readonly Conflict[], allowed: FieldSet): Conflict[] {
  return conflicts.filter((conflict) => !hasPath(allowed, conflict.path));
}

/** The 409 with one cause per conflict. */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return applyConflict(causes, conflictMessage(conflicts));
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const byManager = new Map<ManagerId, string[]>();
  for (const { manager, path } of conflicts) {
    const lines = byManager.get(manager);
    if (lines === undefined) byManager.set(manager, [`- ${pathText(path)}`]);
    else lines.push(`- ${pathText(path)}`);
  }
  const lines = [...byManager.keys()]
    .sort(compareText)
    .flatMap((manager) => [`conflicts with ${managerText(manager)}:`, ...(byManager.get(manager) ?? [])]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** `"kubectl" with subresource "scale" using apps/v1`; the version is that of an update. */
function managerText(id: ManagerId): string {
  const info = managerInfo(id);
  let text = goQuote(info.manager ?? '');
  if (info.subresource !== undefined) text += ` with subresource ${goQuote(info.subresource)}`;
  return info.operation === 'Update' ? `${text} using ${info.apiVersion ?? ''}` : text;
}
