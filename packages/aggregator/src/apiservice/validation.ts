import {
  FieldPath,
  goQuote,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPortNum,
  nameIsPathSegment,
  notSupported,
  required,
  validateObjectMeta,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { APIService } from './api-service.ts';

const spec = FieldPath.of('spec');
const states = ['True', 'False', 'Unknown'];

/** Rules of an APIService (kube-aggregator pkg/apis/apiregistration/validation/validation.go, 1.36). */
export function validateAPIService({ metadata, spec: written }: APIService): readonly FieldError[] {
  const {
    group = '',
    version = '',
    groupPriorityMinimum = 0,
    versionPriority = 0,
    service,
    caBundle = '',
    insecureSkipTLSVerify = false,
  } = (written ?? {}) as Partial<APIService['spec']>;
  const requiredName = `${version}.${group}`;
  const errors = validateObjectMeta(metadata, {
    namespaced: false,
    validateName: (name) => nameProblems(name, requiredName),
  });
  if (group === '') {
    if (version !== 'v1')
      errors.push(required(spec.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  } else {
    for (const problem of isDNS1123Subdomain(group)) errors.push(invalidValue(spec.child('group'), group, problem));
  }
  for (const problem of isDNS1035Label(version)) errors.push(invalidValue(spec.child('version'), version, problem));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000)
    errors.push(
      invalidValue(spec.child('groupPriorityMinimum'), groupPriorityMinimum, 'must be positive and less than 20000'),
    );
  if (versionPriority <= 0 || versionPriority > 1_000)
    errors.push(invalidValue(spec.child('versionPriority'), versionPriority, 'must be positive and less than 1000'));

  if (service === undefined) {
    if (caBundle !== '')
      errors.push(
        invalidValue(
          spec.child('caBundle'),
          `${Buffer.from(caBundle, 'base64').length} bytes`,
          'local APIServices may not have a caBundle',
        ),
      );
    if (insecureSkipTLSVerify)
      errors.push(
        invalidValue(spec.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'),
      );
    return errors;
  }
  const path = spec.child('service');
  if ((service.namespace ?? '') === '') errors.push(required(path.child('namespace'), ''));
  if ((service.name ?? '') === '') errors.push(required(path.child('name'), ''));
  const port = service.port ?? 0;
  const portProblems = isValidPortNum(port);
  if (portProblems.length > 0)
    errors.push(invalidValue(path.child('port'), port, `port is not valid: ${portProblems.join(', ')}`));
  if (insecureSkipTLSVerify && caBundle !== '')
    errors.push(invalidValue(spec.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
  return errors;
}

/** Rules of the status endpoint: conditions are True, False or Unknown. */
export function validateAPIServiceStatus({ status }: APIService): readonly FieldError[] {
  const conditions = status?.conditions ?? [];
  return conditions.flatMap(({ status: state }, index) =>
    states.includes(state)
      ? []
      : [notSupported(FieldPath.of('status').child('conditions').index(index).child('status'), state, states)],
  );
}

/** A name says group and version, and so must the beginning of one. */
function nameProblems(name: string, requiredName: string): string[] {
  const minimal = nameIsPathSegment(name, false);
  if (minimal.length > 0) return minimal;
  return name === requiredName ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(requiredName)}`];
}
