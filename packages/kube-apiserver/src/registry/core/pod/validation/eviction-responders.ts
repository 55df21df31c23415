import { duplicate, invalidValue, isQualifiedName, required, tooMany } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/** Who helps when a pod is to be evicted (core/v1 of 1.37). */
export interface EvictionResponder {
  readonly name?: string;
  readonly priority?: number;
}

const most = 10;
const highestPriority = 100_000;
/** Lower ones are for Kubernetes' own. */
const lowestOfOthers = 1_000;
const reservedDomains = ['k8s.io', 'kubernetes.io'];

/** Rules of a pod's responders (what core/v1 of 1.37 declares, and pkg/apis/core/v1/validation.go). */
export function validateEvictionResponders(responders: readonly EvictionResponder[], path: FieldPath): FieldError[] {
  if (responders.length > most) return [tooMany(path, responders.length, most)];
  const names = new Set<string>();
  const repeated = responders.flatMap((responder, i) => {
    const { name = '' } = responder;
    if (names.has(name)) return [duplicate(path.index(i), { name, priority: responder.priority ?? null })];
    names.add(name);
    return [];
  });
  return [
    ...repeated,
    ...responders.flatMap(({ name = '', priority }, i) => [
      ...nameMistakes(name, path.index(i).child('name')),
      ...priorityMistakes(priority, path.index(i).child('priority')),
    ]),
  ];
}

function nameMistakes(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const domain = withoutDots((name.split('/')[0] ?? '').toLowerCase().trim());
  const isReserved = reservedDomains.some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
  const problems = isQualifiedName(name);
  if (problems.length === 0 && !name.includes('/')) problems.push("must include a prefix (e.g. 'example.com/key')");
  return [
    ...(isReserved ? [invalidValue(path, name, 'domain names *.k8s.io, *.kubernetes.io are reserved')] : []),
    ...problems.map((problem) => invalidValue(path, name, problem)),
  ];
}

/** Without the dots at its end. */
function withoutDots(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '.') end--;
  return text.slice(0, end);
}

function priorityMistakes(priority: number | undefined, path: FieldPath): FieldError[] {
  if (priority === undefined) return [required(path)];
  if (priority < 0) return [invalidValue(path, priority, 'must be greater than or equal to 0')];
  if (priority > highestPriority)
    return [invalidValue(path, priority, `must be less than or equal to ${highestPriority}`)];
  return priority < lowestOfOthers
    ? [invalidValue(path, priority, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')]
    : [];
}
