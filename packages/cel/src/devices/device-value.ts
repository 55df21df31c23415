import { celQuantity } from '../libraries/quantities.ts';
import { celSemver } from '../libraries/semvers.ts';
import { fromPlainJSON } from '../values/plain-json.ts';
import { CelError, EntryMap, mapKey, type CelMap } from '../values/values.ts';

/** What expressions see of a device. */
export interface DeviceFacts {
  readonly driver: string;
  readonly allowMultipleAllocations?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, DeviceAttributeFacts>> | undefined;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>> | undefined;
}

/** One member of several. */
interface DeviceAttributeFacts {
  readonly int?: number | undefined;
  readonly bool?: boolean | undefined;
  readonly string?: string | undefined;
  readonly version?: string | undefined;
}

/** Maps by domain have an empty map for those that are not there. */
class Domains extends EntryMap {
  static by(entries: readonly (readonly [domain: string, id: string, value: unknown])[]): Domains {
    const domains = Map.groupBy(entries, ([domain]) => domain);
    return new Domains(
      new Map(
        Array.from(domains, ([domain, members]) => [
          mapKey(domain),
          [domain, EntryMap.of(members.map(([, id, value]) => [id, value] as const))] as const,
        ]),
      ),
    );
  }

  override get(key: unknown): CelMap {
    return (super.get(key) as CelMap | undefined) ?? EntryMap.of([]);
  }

  holds(key: unknown): boolean {
    return super.get(key) !== undefined;
  }
}

/**
 * The variable `device`. Names without a domain are the driver's.
 * @throws CelError for values that are of no known kind, or no version
 */
export function deviceValue({ allowMultipleAllocations = false, attributes, capacity, driver }: DeviceFacts): CelMap {
  const qualified = (name: string): readonly [domain: string, id: string] => {
    const slash = name.indexOf('/');
    return slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
  };
  return EntryMap.of([
    ['driver', driver],
    ['allowMultipleAllocations', allowMultipleAllocations],
    [
      'attributes',
      Domains.by(Object.entries(attributes ?? {}).map(([name, facts]) => [...qualified(name), attributeValue(facts)])),
    ],
    [
      'capacity',
      Domains.by(Object.entries(capacity ?? {}).map(([name, { value }]) => [...qualified(name), celQuantity(value)])),
    ],
  ]);
}

function attributeValue({ bool, int, string, version }: DeviceAttributeFacts): unknown {
  if (version !== undefined) return celSemver(version);
  const plain = int ?? bool ?? string;
  if (plain === undefined) throw new CelError('unsupported attribute value');
  return fromPlainJSON(plain);
}
