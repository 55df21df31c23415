import { forbiddenValue, invalidValue, regexMessage, required, tooLong } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';

/** A rule that the reference has made declarative: its mistakes come last, in words of their own. */
interface DeclarativeRule {
  readonly kinds: readonly string[];
  readonly field: RegExp;
  /** What the mistake was said to be; absent: whatever it is. */
  readonly detail?: string;
  /** In the new words; absent: in the old ones. */
  readonly tell?: (error: FieldError, object: KubeObject) => FieldError;
  /** It has new words, but stays where it was told. */
  readonly stays?: true;
}

const immutable = 'field is immutable';
const isNull = ({ field }: FieldError): FieldError => invalidValue(field, null, immutable);
const isRequired = ({ field }: FieldError): FieldError => required(field);
const isForbidden = ({ field }: FieldError): FieldError => forbiddenValue(field, '');
const kindsOfPods = [
  'Pod',
  'PodTemplate',
  'ReplicationController',
  'DaemonSet',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'CronJob',
  'Job',
];
const bindings = ['RoleBinding', 'ClusterRoleBinding'];
const deviceKinds = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'];
const decisions = ['Approved', 'Denied'].map((type) => `conditions[{"type": "${type}"}]`);
const unionOfAttribute = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];
const members = unionOfAttribute.map((name) => `\`${name}\``).join(', ');
const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

/** Names of drivers may have capitals, and always could: the text says so. */
function isCaselessName(error: FieldError): FieldError {
  if (!error.detail.startsWith('a lowercase RFC 1123 subdomain')) return error;
  return invalidValue(
    error.field,
    error.badValue,
    regexMessage(
      "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an " +
        'alphanumeric character',
      subdomain,
      'Example.com',
    ),
  );
}

/** Since 1.37 (zz_generated.validations.go of pkg/apis/GROUP/VERSION). */
const rules: readonly DeclarativeRule[] = [
  { kinds: ['RuntimeClass'], field: /^handler$/, detail: immutable, tell: isNull },
  {
    kinds: ['ValidatingAdmissionPolicyBinding'],
    field: /^spec\.validationActions$/,
    detail: 'at least one validation action is required',
    tell: isRequired,
  },
  {
    kinds: ['Role', 'ClusterRole'],
    field: /^rules\[\d+\]\.verbs$/,
    detail: 'verbs must contain at least one value',
    tell: isRequired,
  },
  { kinds: bindings, field: /^subjects\[\d+\]\.name$/, detail: '' },
  { kinds: ['ClusterRoleBinding'], field: /^roleRef$/, detail: immutable, tell: isNull },
  { kinds: ['ReplicationController'], field: /^spec\.replicas$/ },
  { kinds: ['ReplicationController'], field: /^spec\.minReadySeconds$/ },
  {
    kinds: ['Node'],
    field: /^spec\.providerID$/,
    detail: 'node updates may not change providerID except from "" to valid',
    tell: ({ field }) => invalidValue(field, null, 'field cannot be modified once set'),
  },
  {
    kinds: ['CertificateSigningRequest'],
    field: /^status\.conditions$/,
    detail: 'Approved and Denied conditions are mutually exclusive',
    tell: ({ field }) =>
      invalidValue(
        field,
        `{${decisions.join(', ')}}`,
        `must specify at most one of: ${decisions.map((decision) => `\`${decision}\``).join(', ')}`,
      ),
  },
  { kinds: deviceKinds, field: /\.opaque\.driver$/, tell: isCaselessName },
  {
    kinds: ['DeviceClass'],
    field: /^spec\.extendedResourceName$/,
    detail: 'must be a valid extended resource name',
    tell: ({ badValue, field }) =>
      invalidValue(field, badValue, "a name must be a domain-prefixed path, such as 'example.com/my-prop'"),
  },
  {
    kinds: ['ResourceSlice'],
    field: /^spec\.devices\[\d+\](?:\.basic)?\.attributes\[[^\]]*\]$/,
    detail: 'exactly one value must be specified',
    tell({ badValue, field }) {
      if (badValue === '') return invalidValue(field, '', `must specify one of: ${members}`);
      // The value has the names of Go's fields: `IntValue`, `VersionValues`.
      const given = Object.entries(badValue as object)
        .filter(([, value]) => value !== null)
        .map(([name]) => name.replace(/Value(s?)$/, '$1').toLowerCase());
      return invalidValue(field, `{${given.join(', ')}}`, `must specify exactly one of: ${members}`);
    },
  },
  {
    kinds: ['PriorityLevelConfiguration'],
    field: /^spec\.exempt$/,
    detail: 'must be nil if the type is Limited',
    tell: isForbidden,
  },
  {
    kinds: ['PriorityLevelConfiguration'],
    field: /^spec\.limited$/,
    detail: 'must not be empty when type is Limited',
    tell: isRequired,
  },
  {
    kinds: ['PriorityLevelConfiguration'],
    field: /^spec\.limited$/,
    detail: 'must be nil if the type is not Limited',
    tell: isForbidden,
  },
  { kinds: ['PriorityLevelConfiguration'], field: /^spec\.type$/, detail: '' },
  {
    kinds: ['PriorityLevelConfiguration'],
    field: /^spec\.limited\.limitResponse\.queuing$/,
    detail: 'must be nil if limited.limitResponse.type is not Limited',
    tell: isForbidden,
  },
  {
    kinds: ['PriorityLevelConfiguration'],
    field: /^spec\.limited\.limitResponse\.queuing$/,
    detail: 'must not be empty if limited.limitResponse.type is Limited',
    tell: isRequired,
  },
  { kinds: ['IngressClass'], field: /^spec\.parameters\.(kind|name)$/, detail: '' },
  { kinds: ['IPAddress'], field: /^spec\.parentRef$/, detail: immutable, tell: isNull },
  { kinds: ['VolumeAttachment'], field: /^spec\.attacher$/, tell: isCaselessName },
  { kinds: ['VolumeAttachment'], field: /^spec$/, detail: immutable, tell: isNull },
  {
    kinds: ['VolumeAttachment'],
    field: /^status\.(attach|detach)Error\.message$/,
    tell: ({ field }) => tooLong(field, 1024),
    stays: true,
  },
  {
    kinds: ['Pod'],
    field: /^spec\.securityContext\.shareProcessNamespace$/,
    tell: ({ badValue, detail }) => invalidValue('spec.shareProcessNamespace', badValue, detail),
    stays: true,
  },
  { kinds: kindsOfPods, field: /(?:^|\.)spec\.evictionResponders(?:\[|$)/ },
  {
    kinds: ['NetworkPolicy'],
    field: /\.endPort$/,
    detail: 'must be greater than or equal to `port`',
    tell: ({ detail, field }, object) => invalidValue(field, valueAt(object, field), detail),
    stays: true,
  },
];

/** Mistakes in objects of a kind since 1.37: each once, and those of declarative rules last. */
export function tellDeclaratively(errors: readonly FieldError[], object: KubeObject): FieldError[] {
  const own = rules.filter(({ kinds }) => kinds.includes(object.kind ?? ''));
  const first: FieldError[] = [];
  const last: { readonly place: number; readonly error: FieldError }[] = [];
  const told = new Set<string>();
  for (const error of errors) {
    const text = String(error);
    if (told.has(text)) continue;
    told.add(text);
    const place = own.findIndex(
      ({ detail, field }) => field.test(error.field) && (detail === undefined || detail === error.detail),
    );
    const { stays, tell } = own[place] ?? {};
    const retold = tell?.(error, object) ?? error;
    if (place < 0 || stays === true) first.push(retold);
    else last.push({ place, error: retold });
  }
  return [...first, ...last.toSorted((a, b) => a.place - b.place).map(({ error }) => error)];
}

/** The value at a path as errors have it, `spec.ports[0].port`. */
function valueAt(object: unknown, field: string): unknown {
  return (field.match(/[^.[\]]+/g) ?? []).reduce<unknown>(
    (value, part) => (value as Readonly<Record<string, unknown>> | undefined)?.[part],
    object,
  );
}
