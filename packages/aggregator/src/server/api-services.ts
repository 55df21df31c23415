import { apiRegistrationGroup } from '../apiservice/api-service.ts';
import { builtinScheme, messageOf } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import {
  ObjectInformer,
  builtinResourceSpec,
  createResource,
  createFieldManager,
  createStatusStorage,
} from '@kubechain/apiserver/resources';
import type { Assembly } from '@kubechain/apiserver/assembly';
import type { FieldManager, RESTStorage, Store } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import type { ObjectRecord, RESTOptionsGetter, SharedRecords } from '@kubechain/shared-storage';
import type { APIService } from '../apiservice/api-service.ts';
import { defaultAPIService } from '../apiservice/defaults.ts';
import { apiServiceStatusStrategy, apiServiceStrategy } from '../apiservice/strategy.ts';
import { apiServiceTable } from '../apiservice/table.ts';

const group = apiRegistrationGroup;
const version = 'v1';
const log = new Logger('aggregator');

/** APIServices: their storage, and an informer that is still to be started. */
export interface APIServices {
  readonly store: Store;
  readonly status: ReturnType<typeof createStatusStorage>;
  /** Of the status endpoint. */
  readonly fields: FieldManager;
  readonly informer: ObjectInformer<APIService>;
}

/** Told what goes wrong where storage is followed, which is then tried again. */
export function cannotFollow(error: unknown): void {
  log.warning('cannot follow storage', { error: messageOf(error) });
}

function apiServiceOf(record: ObjectRecord): APIService {
  return record.object() as APIService;
}

/** Opens the storage of APIServices and serves them. */
export function openAPIServices(
  assembly: Assembly,
  server: GenericAPIServer,
  { records, restOptions }: { readonly restOptions: RESTOptionsGetter; readonly records: SharedRecords | undefined },
): APIServices {
  const scheme = builtinScheme().withDefaulters([
    { gvk: { group, version, kind: 'APIService' }, apply: defaultAPIService },
  ]);
  const store = assembly.open(
    'storage of APIServices',
    () =>
      createResource(
        builtinResourceSpec({
          group,
          plural: 'apiservices',
          scheme,
          anyFinalizers: true,
          strategy: apiServiceStrategy,
          table: apiServiceTable,
        }),
        restOptions,
        {
          environment: { clock: server.config.clock, ...server.config.randomness },
          shared: records === undefined ? undefined : { records, reader: 'aggregator' },
        },
      ),
    (opened) => opened.close(),
  );
  const status = createStatusStorage(store, apiServiceStatusStrategy);
  const fields = createFieldManager({
    scheme,
    storage: status,
    clock: server.config.clock,
    subresource: 'status',
    custom: false,
    kind: { group, version, kind: 'APIService' },
  });
  const resources = new Map<string, RESTStorage>([
    ['apiservices', store],
    ['apiservices/status', status],
  ]);
  server.installAPIGroups([
    {
      group,
      prioritizedVersions: [version],
      scheme,
      discoveryPriority: 20_000,
      versionedResources: new Map([[version, resources]]),
    },
  ]);
  const informer = assembly.open(
    'informer of APIServices',
    () =>
      new ObjectInformer<APIService>({
        storage: store.storage,
        keyRoot: store.keyRoot,
        informerEnds: store.informerEnds,
        transform: (record) => records?.readOnce(record, apiServiceOf) ?? apiServiceOf(record),
        onError: cannotFollow,
      }),
    (opened) => {
      opened.stop();
    },
  );
  return { store, status, fields, informer };
}
