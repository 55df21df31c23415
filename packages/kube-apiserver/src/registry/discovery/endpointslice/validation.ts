import {
  duplicate,
  FieldPath,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  notSupported,
  parseIPAddress,
  repeats,
  required,
  tooMany,
  validateFullyQualifiedDomainName,
  validateIP,
  validateLabels,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { validateEndpointIP } from '../../core/endpoint-ip.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { immutable } from '../../validation/immutable.ts';
import { filled, format, items, oneOf, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

const addressTypePath = FieldPath.of('addressType');
const endpointsPath = FieldPath.of('endpoints');
const portsPath = FieldPath.of('ports');
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxHints = 8;

const addressType = oneOf(['FQDN', 'IPv4', 'IPv6']);
const protocols = ['SCTP', 'TCP', 'UDP'];
const portName = filled(format(isDNS1123Label));
const subdomain = format(isDNS1123Subdomain);

/**
 * Rules of endpoint slices; endpoints that an update leaves alone are not looked at (ValidateEndpointSlice of
 * pkg/apis/discovery/validation, 1.36).
 */
export function validateEndpointSlice(slice: EndpointSlice, old?: EndpointSlice): FieldError[] {
  const unchanged = old !== undefined && semanticEqual(slice.endpoints, old.endpoints);
  return [
    ...addressType(slice.addressType, addressTypePath),
    ...validatePorts(slice.ports ?? []),
    ...(unchanged ? [] : validateEndpoints(slice)),
  ];
}

/** What kind of addresses a slice has never changes. */
export function validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice): FieldError[] {
  return [
    ...validateEndpointSlice(slice, old),
    ...immutable(addressTypePath, slice.addressType || '', old.addressType || ''),
  ];
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxPorts) return [tooMany(portsPath, ports.length, maxPorts)];
  const names = ports.map(({ name = '' }) => name);
  const repeated = repeats(names);
  return ports.flatMap((port, i) => {
    const path = portsPath.index(i);
    const name = names[i] ?? '';
    return [
      ...portName(name, path.child('name')),
      ...(repeated[i] === true ? [duplicate(path.child('name'), name)] : []),
      ...validateProtocol(port.protocol, path.child('protocol')),
      ...present(format(isQualifiedName))(port.appProtocol, path.child('appProtocol')),
    ];
  });
}

/** Must be there; but text that is empty is a protocol that nobody knows. */
function validateProtocol(protocol: string | undefined, path: FieldPath): FieldError[] {
  if (protocol === undefined) return [required(path)];
  return protocols.includes(protocol) ? [] : [notSupported(path, protocol, protocols)];
}

function validateEndpoints({ addressType: type, endpoints = [] }: EndpointSlice): FieldError[] {
  if (endpoints.length > maxEndpoints) return [tooMany(endpointsPath, endpoints.length, maxEndpoints)];
  return items(endpointOf(type))(endpoints, endpointsPath);
}

function endpointOf(type: string): Rule<Endpoint> {
  return ({ addresses = [], deprecatedTopology = {}, hints, hostname, nodeName }: Partial<Endpoint>, path) => {
    const at = path.child('addresses');
    const topology = path.child('deprecatedTopology');
    const labels = Object.keys(deprecatedTopology).length;
    return [
      ...(addresses.length === 0
        ? [required(at, 'must contain at least 1 address')]
        : addresses.length > maxAddresses
          ? [tooMany(at, addresses.length, maxAddresses)]
          : []),
      ...addresses.flatMap((address, i) => validateAddress(address, { at, i, type })),
      ...present(subdomain)(nodeName, path.child('nodeName')),
      ...(labels > maxTopologyLabels ? [tooMany(topology, labels, maxTopologyLabels)] : []),
      ...validateLabels(deprecatedTopology, topology),
      ...present(format(isDNS1123Label))(hostname, path.child('hostname')),
      ...(hints === undefined ? [] : validateHints(hints, path.child('hints'))),
    ];
  };
}

/** Addresses of a kind that is not known are not looked at. */
function validateAddress(
  address: string,
  { at, i, type }: { readonly at: FieldPath; readonly i: number; readonly type: string },
): FieldError[] {
  const path = at.index(i);
  if (type === 'FQDN') return validateFullyQualifiedDomainName(path, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? validateLegacyIP(path, address) : validateIP(path, address);
  if (errors.length > 0) return errors;
  const otherFamily = `IPv${parseIPAddress(address)?.family ?? ''}` !== type;
  return [
    ...(otherFamily ? [invalidValue(at, address, `must be an ${type} address`)] : []),
    ...validateEndpointIP(address, path),
  ];
}

function validateHints({ forNodes = [], forZones = [] }: EndpointHints, path: FieldPath): FieldError[] {
  const zones = path.child('forZones');
  const nodes = path.child('forNodes');
  if (forZones.length > maxHints) return [tooMany(zones, forZones.length, maxHints)];
  const errors = validateNames(forZones, zones, format(isLabelValue));
  return [
    ...errors,
    ...(forNodes.length > maxHints
      ? [tooMany(nodes, forNodes.length, maxHints)]
      : validateNames(forNodes, nodes, subdomain)),
  ];
}

function validateNames(
  list: readonly { readonly name: string }[],
  path: FieldPath,
  check: Rule<string | undefined>,
): FieldError[] {
  const names = list.map(({ name }) => name);
  const repeated = repeats(names);
  return names.flatMap((name, i) => {
    const at = path.index(i).child('name');
    return [...(repeated[i] === true ? [duplicate(at, name)] : []), ...check(name, at)];
  });
}
