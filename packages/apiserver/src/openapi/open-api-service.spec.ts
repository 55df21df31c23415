import { builtinRelease } from '@kubechain/apimachinery';
import type { GroupVersion } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { setImmediate as immediate } from 'node:timers/promises';
import type { CustomResourceOpenAPI } from '../endpoints/installer/custom-resource-open-api.ts';
import { OpenAPIService, type OpenAPIServiceOptions } from './open-api-service.ts';

const groupVersion = { group: 'many.example.com', version: 'v1' };
const name = 'apis/many.example.com/v1';
/** What each takes of a processor, in ms; more than what is not worth a turn. */
const eachMs = 12;
const count = 20;

function resource(i: number): CustomResourceOpenAPI {
  return {
    ...groupVersion,
    kind: `Thing${i}`,
    listKind: `Thing${i}List`,
    plural: `thing${i}s`,
    namespaced: true,
    status: false,
    scale: false,
    schema: { type: 'object' },
  };
}

/** A server of so many custom resources, which says when they change. */
function serverOf(resources: CustomResourceOpenAPI[]): {
  readonly service: OpenAPIService;
  readonly change: () => void;
} {
  let changed: (change: { readonly groupVersion: GroupVersion }) => void = () => undefined;
  const options = {
    installer: {
      groupVersions: () => [groupVersion],
      isBuiltIn: () => false,
      installedResources: () => [],
      *customResources() {
        for (const each of resources) {
          const end = performance.now() + eachMs;
          while (performance.now() < end);
          yield each;
        }
      },
    },
    discovery: {
      onChange: (listener: typeof changed) => {
        changed = listener;
        return () => undefined;
      },
    },
    delegatedDiscovery: { generation: 0 },
    mux: { handle: () => undefined, handlePrefix: () => undefined, has: () => false },
    delegate: { name: 'nobody' },
    clock: { now: () => 0 },
    release: builtinRelease,
    descriptions: { definition: () => undefined, parameter: () => undefined },
  } as unknown as OpenAPIServiceOptions;
  return {
    service: new OpenAPIService(options),
    change: () => {
      changed({ groupVersion });
    },
  };
}

describe('OpenAPIService', () => {
  it('lets others be served between the custom resources of a document', async () => {
    const { service } = serverOf(Array.from({ length: count }, (_, i) => resource(i)));
    let turns = 0;
    let done = false;
    const others = (async () => {
      while (!done) {
        await immediate();
        turns++;
      }
    })();
    await service.index();
    await service.documentV2();
    done = true;
    await others;
    expect(turns).to.be.greaterThan(count);
    service.close();
  });

  it('keeps built-in definitions from custom resources of their names, which get others', async () => {
    const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
    const status = { ...resource(0), group: 'meta.apis.pkg.apimachinery.k8s.io', kind: 'Status' };
    const { service } = serverOf([status, resource(1)]);
    const { definitions = {}, paths } = await service.documentV2();
    expect(definitions[`${meta}.Status`]?.properties).to.include.keys('reason', 'code');
    expect(definitions[`${meta}.Status_v2`]).to.deep.include({ type: 'object' });
    expect(definitions[`${meta}.Status_v2`]?.properties).to.have.keys('apiVersion', 'kind', 'metadata');
    expect(
      JSON.stringify(paths['/apis/meta.apis.pkg.apimachinery.k8s.io/v1/namespaces/{namespace}/thing0s/{name}']),
    ).to.include(`#/definitions/${meta}.Status_v2"`);
    service.close();
  });

  it('writes defaults that are integers of 64 bits', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', default: 2n ** 53n + 1n } } } as unknown;
    const { service } = serverOf([{ ...resource(0), schema: schema as object }]);
    const index = await service.index();
    const { definitions = {} } = await service.documentV2();
    service.close();
    expect(index.paths).to.include.keys(name);
    expect(definitions[`com.example.many.v1.Thing0`]?.properties).to.include.keys('n');
  });

  it('gives the next server its time once its own documents are made', async () => {
    const steps: string[] = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => {
      steps.push(`${ms} ms`);
      return timeout(ms);
    };
    try {
      const { service } = serverOf(
        new Proxy([resource(0)], {
          get: (target, key, receiver): unknown => {
            if (key === Symbol.iterator) steps.push('made');
            return Reflect.get(target, key, receiver);
          },
        }),
      );
      await service.index();
    } finally {
      AbortSignal.timeout = timeout;
    }
    expect(steps).to.deep.equal(['made', '5000 ms']);
  });

  it('makes a document once for all who ask meanwhile, and does not keep what has changed by then', async () => {
    const resources = [resource(0), resource(1)];
    const { change, service } = serverOf(resources);
    const [first, second] = await Promise.all([service.index(), service.index()]);
    expect(first).to.deep.equal(second);
    const building = service.index();
    change();
    resources.push(resource(2));
    change();
    const later = await service.index();
    await building;
    expect(later.paths[name]).to.not.deep.equal(first.paths[name]);
    expect((await service.index()).paths[name]).to.deep.equal(later.paths[name]);
    service.close();
  });
});
