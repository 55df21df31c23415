import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { addressIn, PageDriver } from './page-driver.ts';
import { registerPatchingWebhook, startPatchingWebhook, type PatchingWebhook } from './webhook-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const webhooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const mark = '/metadata/annotations';

const configMap = (name: string, data: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
/** The first row of a view's table that has all of these texts. */
const rowWith = (texts: readonly string[]): string =>
  `[...document.querySelectorAll('main tbody tr')].find((row) => ${JSON.stringify(texts)}` +
  `.every((text) => row.innerText.includes(text)))`;
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('the page of a chain, in a browser', function () {
  this.timeout(600_000);
  let chain: Chain;
  let client: Client;
  let page: PageDriver;
  let webhook: PatchingWebhook;

  before(async () => {
    chain = await startChain({ flags: ['--ui', '--controllers=lifecycle'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    webhook = await startPatchingWebhook(chain, [{ op: 'add', path: mark, value: { patched: 'by-the-webhook' } }]);
    page = await PageDriver.open(addressIn(chain.output()));
    await page.shows('live');
  });

  after(async () => {
    await page?.close();
    webhook?.close();
    await chain?.stop();
  });

  it('shows every process with its health and load', async () => {
    for (const name of ['aggregator', 'kube-apiserver', 'apiextensions']) await page.shows(name, '.servers');
    await page.until(`document.querySelectorAll('.servers .dot.good').length === 3`);
    await page.until(`document.querySelector('.servers').innerText.match(/\\d+ MB/g)?.length >= 6`, 'memory');
    await page.until(`/open, \\d+/.test(document.querySelector('.servers').innerText)`, 'an open link');
    await page.shows('etcd', '.others');
    await page.shows('controllers', '.others');
  });

  it('follows a request through all three processes', async () => {
    expect((await client.post(crds, widgets)).status).to.equal(201);
    await page.view('requests');
    await page.openRequest('create', 'customresourcedefinitions', '201');
    const waterfall = await page.text('.waterfall');
    const at = ['aggregator', 'authentication', 'hop', 'kube-apiserver', 'apiextensions', 'storage'].map((name) =>
      waterfall.indexOf(name),
    );
    expect(at, waterfall).to.not.include(-1);
    expect(at, waterfall).to.deep.equal(at.toSorted((a, b) => a - b));
    for (const text of ['kubernetes-admin', 'client certificate', 'members of system:masters', 'exempt', 'etcd'])
      await page.shows(text, 'aside');
    await page.shows('widgets.example.com', 'aside');
    await page.screenshot('request');
  });

  it("shows a webhook's patch as what it changed", async () => {
    await registerPatchingWebhook(client, webhook, { name: 'marks', group: '', resource: 'configmaps' });
    // Servers follow configurations: the first objects may come too early.
    let marked = false;
    for (let i = 0; i < 100 && !marked; i++) {
      const { body } = await client.post(configMaps, configMap(`marked-${i}`, {}));
      marked = body.metadata.annotations?.patched === 'by-the-webhook';
      await delay(100);
    }
    expect(marked).to.equal(true);
    await page.openRequest('create', 'configmaps', '201');
    await page.shows('webhook marks.example.com changed the object', 'aside');
    await page.until(
      `[...document.querySelectorAll('aside .diff .added')].some((line) => line.innerText.includes('by-the-webhook'))`,
    );
    await page.shows('marks.example.com', '.waterfall');
  });

  it('says where the answer of a read came from', async () => {
    await client.get(`${configMaps}/marked-0`);
    await page.view('requests');
    await page.openRequest('get', 'marked-0', '200');
    await page.shows('watch cache, once it was as new as the request', 'aside');
    await page.openRequest('create', 'configmaps', '201');
  });

  it('copies a request as commands', async () => {
    await page.ask(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
    await page.click('Copy as kubectl', 'aside');
    await page.until(`window.copied?.startsWith('kubectl create -n default')`);
    await page.click('Copy as curl', 'aside');
    await page.until(`window.copied?.includes('-X POST') && window.copied.includes('${chain.url}${configMaps}')`);
  });

  it('shows a request on its way: who has it, and what it waits for', async () => {
    await page.key('Escape');
    const goOn = webhook.hold();
    const made = client.post(configMaps, configMap('held-up', {}));
    try {
      for (const view of ['requests', 'chain']) {
        await page.view(view);
        for (const text of ['1 under way', 'create', 'kubernetes-admin', 'kube-apiserver', 'webhook marks.example.com'])
          await page.shows(text, '.under-way');
      }
      await page.screenshot('under-way');
    } finally {
      goOn();
    }
    expect((await made).status).to.equal(201);
    await page.until(`document.querySelector('.under-way') === null`, 'nothing is under way');
    await client.delete(`${webhooks}/marks`);
  });

  it('shows the store by key and revision, with what each write changed', async () => {
    const path = `${configMaps}/written`;
    expect((await client.post(configMaps, configMap('written', { a: 'first' }))).status).to.equal(201);
    const second = await client.put(path, configMap('written', { a: 'second' }));
    await page.view(`store/${encodeURIComponent('/registry/configmaps/default/written')}`);
    await page.shows(`revision ${second.body.metadata.resourceVersion}`, '.history');
    const line = (kind: string): Promise<string> => page.text(`.history .diff .${kind}`);
    expect(await line('removed')).to.include('first');
    expect(await line('added')).to.include('second');
    await page.screenshot('store');
  });

  it('shows watches, and what they have received', async () => {
    const watch = await client.watch(`${configMaps}?watch=true&resourceVersion=0&labelSelector=seen`);
    await page.view('watches');
    const row = rowWith(['kubernetes-admin', 'configmaps']);
    await page.until(row);
    const sent = (): Promise<number> => page.ask(`Number(${row}.cells[5].innerText)`);
    const before = await sent();
    await client.post(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'seen', labels: { seen: '' } },
    });
    await watch.atLeast(1);
    await page.until(`Number(${row}.cells[5].innerText) > ${before}`, 'the event is counted');
    await page.screenshot('watches');
    watch.close();
  });

  it('shows CRDs and APIServices with their conditions', async () => {
    const service = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.nobody.example.com' },
      spec: {
        group: 'nobody.example.com',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { name: 'nobody', namespace: 'default' },
      },
    };
    expect((await client.post('/apis/apiregistration.k8s.io/v1/apiservices', service)).status).to.equal(201);
    await page.view('apis');
    await page.shows('widgets.example.com');
    await page.shows('Established: True');
    await page.shows('v1.nobody.example.com');
    await page.shows('Available: False');
    await page.screenshot('apis');
    await client.delete('/apis/apiregistration.k8s.io/v1/apiservices/v1.nobody.example.com');
  });

  it('sets a fault that is seen, and groups what failed', async () => {
    await page.view('control');
    await page.fill('Resources', 'configmaps');
    await page.click('Set');
    await page.shows('"code":409');
    for (const name of ['x', 'y']) expect((await client.post(configMaps, configMap(name, {}))).status).to.equal(409);
    await page.until(`document.querySelector('main').innerText.includes('happened 2 times')`);
    await page.screenshot('control');
    await page.click('Remove');
    await page.view('failures');
    const failed = rowWith(['409', 'configmaps', 'fault']);
    await page.until(`${failed}?.cells[0].innerText === '2'`);
    expect((await client.post(configMaps, configMap('x', {}))).status).to.equal(201);
  });

  it('offers every fault that the control API takes: of requests, of watches, of what servers call', async () => {
    await page.view('control');
    const select = (label: string): string =>
      `[...document.querySelectorAll('main label')].find((one) => one.innerText.startsWith('${label}'))` +
      '.firstElementChild';
    const optionsOf = (label: string): Promise<readonly string[]> =>
      page.ask(`[...${select(label)}.options].map(({ value }) => value)`);
    const choose = (label: string, value: string): Promise<unknown> =>
      page.ask(
        `{ const list = ${select(label)};
           list.value = ${JSON.stringify(value)};
           list.dispatchEvent(new Event('change', { bubbles: true })); }`,
      );
    let known = 0;
    for (const target of await optionsOf('Of')) {
      await choose('Of', target);
      await page.until(`${select('Of')}.value === '${target}'`);
      // None of them fits anything that is asked.
      for (const label of ['Resources', 'Names'])
        if (await page.ask(`document.querySelector('main').innerText.includes('${label}')`))
          await page.fill(label, 'nothing');
      for (const effect of await optionsOf('What happens')) {
        await choose('What happens', effect);
        await page.until(`${select('What happens')}.value === '${effect}'`);
        await page.click('Set');
        await page.until(`document.querySelectorAll('.rows code').length === ${++known}`, `${target}: ${effect}`);
      }
    }
    expect(known).to.be.at.least(30);
    await page.screenshot('faults');
    for (; known > 0; known--) {
      await page.click('Remove');
      await page.until(`document.querySelectorAll('.rows code').length === ${known - 1}`);
    }
  });

  it('saves and restores the state, moves the clock and reads the journal', async () => {
    await page.view('control');
    await page.fill('Name', 'of-the-page');
    await page.click('Save the state of now');
    await page.shows('save of-the-page: done', '.said');
    expect((await client.post(configMaps, configMap('passing', {}))).status).to.equal(201);
    const row = `[...document.querySelectorAll('.rows li')].find((row) => row.innerText.includes('of-the-page'))`;
    await page.until(row);
    await page.ask(`${row}.querySelector('button').click()`);
    await page.shows('restore of-the-page: done', '.said');
    expect((await client.get(`${configMaps}/passing`)).status).to.equal(404);
    await page.click('Advance');
    await page.shows("3600 s off the machine's");
    await page.click('Reset');
    await page.shows('the machine');
    await page.click('Look again');
    await page.shows(`${configMaps}/passing`, '.journal');
  });

  it('shows pictures over time', async () => {
    await page.view('charts');
    await page.until(`document.querySelectorAll('.chart canvas').length >= 10`);
    await page.shows('kube-apiserver');
    await page.shows('Events in the windows of watch caches');
    await delay(2_000);
    await page.screenshot('charts');
  });

  it('is used by keys, pauses and searches', async () => {
    await page.view('requests');
    await client.get(`${configMaps}/needle`);
    await page.key('/');
    await page.page.keyboard.type('needle');
    await page.until(`document.querySelectorAll('.requests tbody tr').length === 1`);
    await page.key('Escape');
    await page.key('p');
    await page.shows('Go on', 'header');
    await page.key('j');
    await page.until(`document.querySelector('aside')`);
    await page.key('Escape');
    await page.until(`!document.querySelector('aside')`);
    await page.ask(
      `{ const box = document.querySelector('input[type=search]');
         box.value = '';
         box.dispatchEvent(new Event('input')); }`,
    );
    const rows = await page.ask<number>(`document.querySelectorAll('.requests tbody tr').length`);
    for (let i = 0; i < 5; i++) await client.get(`${configMaps}/while-paused`);
    await delay(1_000);
    expect(await page.ask(`document.querySelectorAll('.requests tbody tr').length`)).to.equal(rows);
    await page.key('p');
    await page.shows('while-paused');
    await page.key('1');
    await page.until(`location.hash === '#chain'`);
  });

  for (const theme of ['light', 'dark'] as const)
    it(`is accessible in every view: ${theme}`, async () => {
      for (let i = 0; i < 3 && (await page.ask(`document.documentElement.dataset.theme`)) !== theme; i++) {
        await page.key('t');
        await delay(300);
      }
      const findings: Record<string, readonly string[]> = {};
      for (const view of ['chain', 'requests', 'charts', 'watches', 'store', 'apis', 'failures', 'control']) {
        await page.view(view);
        await delay(1_000);
        findings[view] = await page.findings();
      }
      await page.view('requests');
      await page.openRequest('get');
      await delay(500);
      findings['a request'] = await page.findings();
      expect(Object.entries(findings).filter(([, found]) => found.length > 0)).to.deep.equal([]);
      await page.key('Escape');
      await page.view('chain');
      await delay(500);
      await page.screenshot(`chain-${theme}`);
    });

  it('fits a narrow window', async () => {
    await page.page.setViewport({ width: 400, height: 800 });
    for (const view of ['chain', 'requests', 'watches', 'store', 'control']) {
      await page.view(view);
      await delay(500);
      expect(await page.ask(`document.documentElement.scrollWidth`), view).to.be.at.most(400);
    }
    await page.view('chain');
    await page.screenshot('narrow');
    await page.page.setViewport({ width: 1440, height: 900 });
  });

  it('has asked nobody else for anything, and broke no rule of its policy', () => {
    const { origin } = new URL(addressIn(chain.output()));
    expect(page.asked.filter((url) => !/^(?:data:|about:)/.test(url) && !url.startsWith(`${origin}/`))).to.deep.equal(
      [],
    );
    expect(page.errors).to.deep.equal([]);
  });
});
