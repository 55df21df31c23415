import {
  FieldPath,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isValidPortName,
  isValidPortNum,
  isWildcardDNS1123Subdomain,
  notSupported,
  parseIPAddress,
  printed,
  required,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { TypedLocalObjectReference } from '@kubechain/apimachinery/types/core/v1';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressTLS,
} from '@kubechain/apimachinery/types/networking/v1';
import { fields, filled, format, items, needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const classAnnotation = 'kubernetes.io/ingress.class';
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badSuffixes = ['/..', '/.'];

/** A reference to an object of the same namespace. */
const localObject = fields<TypedLocalObjectReference>({
  apiGroup: present(format(isDNS1123Subdomain)),
  kind: needed(format(isPathSegmentName)),
  name: needed(format(isPathSegmentName)),
});

/** A service and one of its ports, or a resource. Errors about both, and about the port, name the backend. */
const backend: Rule<IngressBackend | undefined> = ({ resource, service } = {}, path) => {
  if (resource !== undefined && service !== undefined)
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return localObject(resource, path.child('resource'));
  if (service === undefined) return [invalidValue(path, '', 'resource or service backend is required')];
  const { name = '', number = 0 } = service.port ?? {};
  const at = path.child('service', 'port');
  const errors = needed(format(isDNS1123Label))(service.name, path.child('service', 'name'));
  if (name !== '' && number !== 0)
    return [...errors, invalidValue(path, '', 'cannot set both port name & port number')];
  if (name !== '') return [...errors, ...format(isValidPortName)(name, at.child('name'))];
  return [
    ...errors,
    ...(number === 0
      ? [required(path, 'port name or number is required')]
      : isValidPortNum(number).map((message) => invalidValue(at.child('number'), number, message))),
  ];
};

const httpPath: Rule<HTTPIngressPath> = (entry, path) => {
  const { path: text = '', pathType } = entry as Partial<HTTPIngressPath>;
  const at = path.child('path');
  if (pathType === undefined) return [required(path.child('pathType'), 'pathType must be specified')];
  const errors: FieldError[] = [];
  if (!pathTypes.includes(pathType)) errors.push(notSupported(path.child('pathType'), pathType, pathTypes));
  else if (!text.startsWith('/') && (text !== '' || pathType !== 'ImplementationSpecific'))
    errors.push(invalidValue(at, text, 'must be an absolute path'));
  if (pathType === 'Exact' || pathType === 'Prefix') {
    for (const sequence of badSequences)
      if (text.includes(sequence)) errors.push(invalidValue(at, text, `must not contain '${sequence}'`));
    for (const suffix of badSuffixes)
      if (text.endsWith(suffix)) errors.push(invalidValue(at, text, `cannot end with '${suffix}'`));
  }
  return [...errors, ...backend(entry.backend, path.child('backend'))];
};

/** A host name, which may begin with `*.`. */
const host: Rule<string> = (name, path) =>
  format(name.includes('*') ? isWildcardDNS1123Subdomain : isDNS1123Subdomain)(name, path);

/** What a host's rule says of paths. */
const rulePaths: Rule<IngressRule> = ({ http }, path) => {
  const paths = path.child('http', 'paths');
  return http === undefined
    ? []
    : [...((http.paths?.length ?? 0) === 0 ? [required(paths)] : []), ...items(httpPath)(http.paths, paths)];
};

const ruleOf =
  (anyStarRule: boolean): Rule<IngressRule> =>
  (entry, path) => {
    const { host: name = '' } = entry;
    const at = path.child('host');
    const errors =
      name === ''
        ? []
        : [
            ...(parseIPAddress(name) === undefined
              ? []
              : [invalidValue(at, name, 'must be a DNS name, not an IP address')]),
            ...host(name, at),
          ];
    return anyStarRule && name.includes('*') ? errors : [...errors, ...rulePaths(entry, path)];
  };

/** Rules of all ingresses (ValidateIngressSpec of pkg/apis/networking/validation, 1.36). */
const rulesOf = ({
  anySecret,
  anyStarRule,
}: {
  readonly anySecret: boolean;
  readonly anyStarRule: boolean;
}): Rule<Ingress['spec']> =>
  fields<NonNullable<Ingress['spec']>>({
    defaultBackend: present(backend),
    rules: items(ruleOf(anyStarRule)),
    tls: items(
      fields<IngressTLS>({
        hosts: items(host),
        ...(anySecret ? {} : { secretName: filled(format(isDNS1123Subdomain)) }),
      }),
    ),
    ingressClassName: present(format(isDNS1123Subdomain)),
  });
const strictRules = rulesOf({ anySecret: false, anyStarRule: false });

/**
 * Rules of an update: what a stored ingress has of bad names of secrets, or below hosts with a star, it may keep
 * (ValidateIngressUpdate).
 */
export function validateIngressUpdate(ingress: Ingress, old: Ingress): FieldError[] {
  const anySecret = (old.spec?.tls ?? []).some(
    ({ secretName }) => secretName !== undefined && secretName !== '' && isDNS1123Subdomain(secretName).length > 0,
  );
  const anyStarRule = (old.spec?.rules ?? []).some(
    (entry) => (entry.host ?? '').includes('*') && rulePaths(entry, FieldPath.root).length > 0,
  );
  return validateSpec(ingress, rulesOf({ anySecret, anyStarRule }));
}

function validateSpec({ spec }: Ingress, specRules: ReturnType<typeof rulesOf>): FieldError[] {
  const empty = (spec?.rules?.length ?? 0) === 0 && spec?.defaultBackend === undefined;
  return [
    ...(empty
      ? [invalidValue(specPath, printed(spec, 'rules'), 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...specRules(spec, specPath),
  ];
}

/** Rules of new ingresses: the class is one, however it is said (ValidateIngressCreate). */
export function validateIngress(ingress: Ingress): FieldError[] {
  const annotation = ingress.metadata?.annotations?.[classAnnotation];
  const name = ingress.spec?.ingressClassName;
  const differ = annotation !== undefined && name !== undefined && annotation !== name;
  return [
    ...validateSpec(ingress, strictRules),
    ...(differ
      ? [
          invalidValue(
            FieldPath.of('annotations').child(classAnnotation),
            annotation,
            'must match `ingressClassName` when both are specified',
          ),
        ]
      : []),
  ];
}

/** Rules of the status endpoint (ValidateIngressStatusUpdate). */
export function validateIngressStatus({ status }: Ingress, old: Ingress): FieldError[] {
  const before = new Set((old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : [])));
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ hostname = '', ip = '' }, i) => {
    const path = FieldPath.of('status', 'loadBalancer', 'ingress').index(i);
    return [
      ...(ip === '' ? [] : validateLegacyIP(path.child('ip'), ip, { old: before })),
      ...filled(format(isDNS1123Subdomain))(hostname, path.child('hostname')),
      ...(parseIPAddress(hostname) === undefined
        ? []
        : [invalidValue(path.child('hostname'), hostname, 'must be a DNS name, not an IP address')]),
    ];
  });
}
