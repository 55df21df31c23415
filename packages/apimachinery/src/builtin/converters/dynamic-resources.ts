import type { KubeObject } from '../../object/object.ts';
import type { Converter } from '../../runtime/converter.ts';

/*
 * resource.k8s.io/v1beta1 has what a request asks for in the request itself, and what a device is in `basic`
 * (pkg/apis/resource/v1beta1/conversion.go, Kubernetes 1.36). Later versions are alike.
 */

type Data = Readonly<Record<string, unknown>>;

const group = 'resource.k8s.io';
const newer = ['v1', 'v1beta2'] as const;

/** What v1beta1 says of a request beside its name and its alternatives. */
const exactFields = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
] as const;

/** Between v1beta1 and each of the others. */
export const dynamicResourceConverters: readonly Converter[] = [
  ...between('ResourceClaim', inClaim),
  ...between('ResourceClaimTemplate', inTemplate),
  ...between('ResourceSlice', inSlice),
];

type Direction = 'newer' | 'older';

function between(kind: string, change: (object: Data, to: Direction) => Data): readonly Converter[] {
  const converted = (to: Direction) => (object: KubeObject) => change(object, to) as KubeObject;
  const items = (to: Direction) => (list: KubeObject) =>
    withList(list, 'items', (item) => change(item, to)) as KubeObject;
  const older = { group, version: 'v1beta1' };
  return newer.flatMap((version) => [
    { from: { ...older, kind }, to: { group, version }, convert: converted('newer') },
    { from: { group, version, kind }, to: older, convert: converted('older') },
    { from: { ...older, kind: `${kind}List` }, to: { group, version }, convert: items('newer') },
    { from: { group, version, kind: `${kind}List` }, to: older, convert: items('older') },
  ]);
}

function inClaim(claim: Data, to: Direction): Data {
  return withMember(claim, 'spec', (spec) => inClaimSpec(spec, to));
}

function inTemplate(template: Data, to: Direction): Data {
  return withMember(template, 'spec', (spec) => inClaim(spec, to));
}

function inClaimSpec(claimSpec: Data, to: Direction): Data {
  return withMember(claimSpec, 'devices', (devices) =>
    withList(devices, 'requests', to === 'newer' ? exactRequest : plainRequest),
  );
}

function inSlice(slice: Data, to: Direction): Data {
  return withMember(slice, 'spec', (spec) => withList(spec, 'devices', to === 'newer' ? plainDevice : basicDevice));
}

function exactRequest(request: Data): Data {
  const exactly: Record<string, unknown> = {};
  const rest: Record<string, unknown> = { ...request };
  for (const name of exactFields) {
    // What is empty is said by nothing in v1beta1.
    if (rest[name] !== undefined && rest[name] !== '' && rest[name] !== 0) exactly[name] = rest[name];
    delete rest[name];
  }
  // A request for exactly these devices always names their class, be it none.
  if (Object.keys(exactly).length === 0) return rest;
  return { ...rest, exactly: { deviceClassName: '', ...exactly } };
}

function plainRequest({ exactly, ...request }: Data): Data {
  return isData(exactly) ? { ...request, ...exactly } : request;
}

function plainDevice({ basic, ...device }: Data): Data {
  return isData(basic) ? { ...device, ...basic } : device;
}

function basicDevice({ name, ...basic }: Data): Data {
  return { ...(name === undefined ? {} : { name }), basic };
}

function withMember(data: Data, name: string, change: (member: Data) => Data): Data {
  const member = data[name];
  return isData(member) ? { ...data, [name]: change(member) } : data;
}

function withList(data: Data, name: string, change: (item: Data) => Data): Data {
  const list = data[name];
  return Array.isArray(list)
    ? { ...data, [name]: list.map((item: unknown) => (isData(item) ? change(item) : item)) }
    : data;
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
