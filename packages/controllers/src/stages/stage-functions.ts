import { loadYAMLEmitter, type Clock } from '@kubechain/apimachinery';
import type { FindFunction, TemplateFunction } from './template/evaluate-template.ts';
import { builtinFunctions } from './template/builtin-functions.ts';

/** Those that say where an object is played; the player knows. */
const placeFunctions = [
  'NodeIP',
  'NodeName',
  'NodePort',
  'PodIP',
  'NodeIPWith',
  'NodeIPsWith',
  'PodIPWith',
  'PodIPsWith',
] as const;

/** Answers of a played node's to the functions of `placeFunctions`. */
export type PlaceFunctions = Readonly<Record<(typeof placeFunctions)[number], TemplateFunction>>;

const nodeConditions = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['NetworkUnavailable', 'False', 'RouteCreated', 'RouteController created a route'],
].map(([type, status, reason, message]) => ({ type, status, reason, message }));

/** kwok's own functions, which manifests of stages call (pkg/utils/gotpl), over those of templates in general. */
export async function stageFunctions(clock: Clock): Promise<FindFunction> {
  const emitYAML = await loadYAMLEmitter();
  const startTime = new Date(clock.now()).toISOString();
  const own: Readonly<Record<string, TemplateFunction>> = {
    ...builtinFunctions,
    Quote: (value) =>
      typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(JSON.stringify(value ?? null)),
    Now: () => new Date(clock.now()).toISOString(),
    StartTime: () => startTime,
    YAML: (value, indent) => {
      const text = emitYAML(value ?? null);
      if (typeof indent !== 'number' || indent <= 0) return text;
      const pad = ' '.repeat(indent * 2);
      return `\n${text}`.replaceAll('\n', `\n${pad}`);
    },
    Version: () => '0.9.0',
    NodeConditions: () => nodeConditions,
  };
  return (name) => (Object.hasOwn(own, name) ? own[name] : undefined);
}

/** Whether a template may call a function. */
export function knowsFunction(name: string): boolean {
  return (
    Object.hasOwn(builtinFunctions, name) ||
    (placeFunctions as readonly string[]).includes(name) ||
    ['Quote', 'Now', 'StartTime', 'YAML', 'Version', 'NodeConditions'].includes(name)
  );
}
