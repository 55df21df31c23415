import {
  append,
  forbiddenValue,
  invalidValue,
  isHTTPHeaderName,
  isValidPortName,
  isValidPortNum,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from '@kubechain/apimachinery/types/core/v1';
import { nonNegative } from '../../../validation/bounds.ts';
import { each } from '../../../validation/rules.ts';
import { validateStopSignal } from './stop-signal.ts';

const kinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** What a probe or a hook does: exactly one thing (validateHandler of pkg/apis/core/validation, 1.36). */
function validateHandler(
  handler: LifecycleHandler & Pick<Probe, 'grpc'>,
  path: FieldPath,
  gracePeriodSeconds: number,
): FieldError[] {
  const [first, ...more] = kinds.filter((kind) => handler[kind] !== undefined);
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...validateAction(handler, path, gracePeriodSeconds),
    ...more.map((kind) => forbiddenValue(path.child(kind), 'may not specify more than 1 handler type')),
  ];
}

function validateAction(
  { exec, grpc, httpGet, sleep, tcpSocket }: LifecycleHandler & Pick<Probe, 'grpc'>,
  path: FieldPath,
  gracePeriodSeconds: number,
): FieldError[] {
  if (exec !== undefined) return (exec.command?.length ?? 0) === 0 ? [required(path.child('exec', 'command'))] : [];
  if (httpGet !== undefined) return validateHTTPGet(httpGet, path.child('httpGet'));
  if (tcpSocket !== undefined) return validatePort(tcpSocket.port, path.child('tcpSocket', 'port'));
  if (grpc !== undefined) return validatePort(grpc.port, path.child('grpc', 'port'));
  const seconds = sleep?.seconds ?? 0;
  return seconds < 0 || seconds > gracePeriodSeconds
    ? [
        invalidValue(
          path.child('sleep'),
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`,
        ),
      ]
    : [];
}

function validateHTTPGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const errors = action.path ? [] : [required(path.child('path'))];
  append(errors, validatePort(action.port, path.child('port')));
  if (action.scheme !== 'HTTP' && action.scheme !== 'HTTPS')
    errors.push(notSupported(path.child('scheme'), action.scheme ?? '', ['HTTP', 'HTTPS']));
  for (const header of action.httpHeaders ?? []) {
    const name = header.name || '';
    append(
      errors,
      isHTTPHeaderName(name).map((message) => invalidValue(path.child('httpHeaders'), name, message)),
    );
  }
  return errors;
}

/** A port by number or name. */
export function validatePort(port: number | string | undefined, path: FieldPath): FieldError[] {
  return (typeof port === 'string' ? isValidPortName(port) : isValidPortNum(port ?? 0)).map((message) =>
    invalidValue(path, port ?? 0, message),
  );
}

/** The three probes and the hooks of a container. */
export function validateProbesAndHooks(
  container: { lifecycle?: Lifecycle; livenessProbe?: Probe; readinessProbe?: Probe; startupProbe?: Probe },
  path: FieldPath,
  { gracePeriodSeconds, os }: { readonly gracePeriodSeconds: number; readonly os: string | undefined },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const hook of ['postStart', 'preStop'] as const) {
    const handler = container.lifecycle?.[hook];
    if (handler !== undefined)
      append(errors, validateHandler(handler, path.child('lifecycle', hook), gracePeriodSeconds));
  }
  const { stopSignal } = container.lifecycle ?? {};
  if (stopSignal !== undefined)
    append(errors, validateStopSignal(stopSignal, path.child('lifecycle', 'stopSignal'), os));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[name];
    if (probe === undefined) continue;
    const at = path.child(name);
    append(errors, validateProbe(probe, at, gracePeriodSeconds));
    if (name === 'readinessProbe') {
      if (probe.terminationGracePeriodSeconds !== undefined)
        errors.push(
          invalidValue(
            at.child('terminationGracePeriodSeconds'),
            probe.terminationGracePeriodSeconds,
            'must not be set for readinessProbes',
          ),
        );
    } else if (probe.successThreshold !== 1)
      errors.push(invalidValue(at.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, path: FieldPath, gracePeriodSeconds: number): FieldError[] {
  const errors = [
    ...validateHandler(probe, path, gracePeriodSeconds),
    ...each(counts, (field) => nonNegative(path.child(field), probe[field])),
  ];
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(invalidValue(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  return errors;
}
