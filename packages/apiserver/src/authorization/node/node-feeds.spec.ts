import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { ObjectRecord, StorageInterface } from '@kubechain/shared-storage';
import { expect } from 'chai';
import type { ResourceStorage } from '../../informers/resource-storage.ts';
import { followNodes } from './node-feeds.ts';

/** A resource whose lists are answered when the test says so. */
class Listed {
  lists = 0;
  readonly #answer = Promise.withResolvers<readonly ObjectRecord[]>();
  readonly at: ResourceStorage;

  constructor(resource: string) {
    const storage = {
      getList: async () => {
        this.lists++;
        return { items: await this.#answer.promise, resourceVersion: '5', continue: '' };
      },
      watch: (_key: string, _options: object, sink: { end(reason: object): void }) =>
        Promise.resolve({ stop: () => sink.end({ kind: 'stopped' }), drained: () => undefined }),
    } as unknown as StorageInterface;
    this.at = { storage, keyRoot: `/registry/${resource}` };
  }

  answer(...objects: readonly { readonly name: string; readonly nodeName: string }[]): void {
    this.#answer.resolve(
      objects.map(({ name, nodeName }) => ({
        key: `${this.at.keyRoot}/ns/${name}`,
        revision: 5,
        json: new Uint8Array(),
        attributes: { name, namespace: 'ns', labels: undefined, fields: {} },
        object: () => ({ metadata: { name, namespace: 'ns' }, spec: { nodeName, imagePullSecrets: [{ name }] } }),
      })),
    );
  }
}

describe('what ties objects to nodes', () => {
  const open = () => {
    const clock = new FakeClock();
    const [pods, volumes, attachments] = ['pods', 'persistentvolumes', 'volumeattachments'].map(
      (resource) => new Listed(resource),
    ) as [Listed, Listed, Listed];
    const nodes = followNodes(
      { pods: pods.at, persistentVolumes: volumes.at, volumeAttachments: attachments.at },
      { clock },
    );
    return { clock, nodes, pods, volumes, attachments };
  };

  it('is read when somebody asks for the first time, and known from then on', async () => {
    const { attachments, nodes, pods, volumes } = open();
    await settle();
    expect(pods.lists).to.equal(0);
    const waiting = nodes.known();
    await settle();
    expect([pods.lists, volumes.lists, attachments.lists]).to.deep.equal([1, 1, 1]);
    pods.answer({ name: 'pull', nodeName: 'n1' });
    volumes.answer();
    attachments.answer();
    await waiting;
    expect(nodes.known()).to.equal(undefined);
    expect(nodes.graph.isRelated('n1', 'secret', 'ns/pull')).to.equal(true);
    expect(pods.lists).to.equal(1);
    nodes.stop();
  });

  it('is waited for ten seconds at the most, by all together', async () => {
    const { clock, nodes } = open();
    let over = false;
    void nodes.known()?.then(() => (over = true));
    await clock.advance(9_900);
    expect(over).to.equal(false);
    await clock.advance(200);
    expect([over, nodes.known()]).to.deep.equal([true, undefined]);
    nodes.stop();
  });
});
