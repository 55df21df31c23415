import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { EncryptionFile } from './encryption-file.ts';
import type { EncryptionFileOptions } from './encryption-file.ts';
import { EncryptionMetrics } from './encryption-metrics.ts';
import { MetricRegistry } from '../metrics/metric-registry.ts';

const key1 = Buffer.alloc(32, 1).toString('base64');
const key2 = Buffer.alloc(32, 2).toString('base64');

function configuration(resources: string): string {
  return `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n${resources}`;
}

function entry(resources: string, providers: string): string {
  return `- resources: [${resources}]\n  providers: [${providers}]\n`;
}

const gcm1 = `{aesgcm: {keys: [{name: k1, secret: ${key1}}]}}`;
const gcm2 = `{aesgcm: {keys: [{name: k2, secret: ${key2}}, {name: k1, secret: ${key1}}]}}`;

describe('EncryptionFile', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-encryption-'));
    path = join(folder, 'config.yaml');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const load = async (text: string, options: EncryptionFileOptions = {}): Promise<EncryptionFile> => {
    await writeFile(path, text);
    return EncryptionFile.load(path, options);
  };
  const written = async (file: EncryptionFile, group: string, resource: string): Promise<string> => {
    const transformer = file.transformerFor({ group, resource });
    return transformer === undefined
      ? 'plain'
      : Buffer.from(await transformer.toStorage(Buffer.from('v'), '/k'))
          .toString('latin1')
          .replace(/(k8s:enc:\w+:v1:\w+:).*/s, '$1');
  };

  it('encrypts the resources that it names, and wildcards', async () => {
    const file = await load(
      configuration(
        entry('secrets, configmaps', gcm1) +
          entry('deployments.apps', '{identity: {}}') +
          entry("'*.apps'", `{aescbc: {keys: [{name: c, secret: ${key1}}]}}`) +
          entry("'*.'", `{secretbox: {keys: [{name: s, secret: ${key1}}]}}`),
      ),
    );
    expect(await written(file, '', 'secrets')).to.equal('k8s:enc:aesgcm:v1:k1:');
    expect(await written(file, 'apps', 'deployments')).to.equal('v');
    expect(await written(file, 'apps', 'daemonsets')).to.equal('k8s:enc:aescbc:v1:c:');
    expect(await written(file, '', 'pods')).to.equal('k8s:enc:secretbox:v1:s:');
    expect(await written(file, 'batch', 'jobs')).to.equal('plain');
    const everything = await load(configuration(entry("'*.*'", gcm1)));
    expect(await written(everything, 'batch', 'jobs')).to.equal('k8s:enc:aesgcm:v1:k1:');
  });

  it('follows a rotation of keys', async () => {
    const registry = new MetricRegistry();
    const file = await load(configuration(entry('secrets', gcm1)), {
      reloads: true,
      metrics: new EncryptionMetrics(registry),
    });
    const transformer = file.transformerFor({ group: '', resource: 'secrets' }) ?? expect.fail();
    const stored = await transformer.toStorage(Buffer.from('v'), '/k');
    expect(await file.reload()).to.equal(false);
    await writeFile(path, configuration(entry('secrets', gcm2)));
    expect(await file.reload()).to.equal(true);
    const read = await transformer.fromStorage(stored, '/k');
    expect(read.stale).to.equal(true);
    expect(Buffer.from(read.value).toString()).to.equal('v');
    expect(await written(file, '', 'secrets')).to.equal('k8s:enc:aesgcm:v1:k2:');
    expect(registry.samples('apiserver_encryption_config_controller_last_config_info')).to.have.lengthOf(1);
    const operations = registry
      .samples('apiserver_storage_transformation_operations_total')
      .map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`);
    expect(operations).to.have.members([
      'secrets to_storage k8s:enc:aesgcm:v1: OK 2',
      'secrets to_storage k1: OK 1',
      'secrets to_storage k2: OK 1',
      'secrets from_storage k8s:enc:aesgcm:v1: OK 1',
      'secrets from_storage k1: OK 1',
    ]);
  });

  it('follows resources that are configured later, or no more', async () => {
    const file = await load(configuration(entry('secrets', `{identity: {}}, ${gcm1}`)), { reloads: true });
    const configMaps = file.transformerFor({ group: '', resource: 'configmaps' }) ?? expect.fail();
    expect(await written(file, '', 'configmaps')).to.equal('v');
    await writeFile(path, configuration(entry('configmaps', gcm1)));
    expect(await file.reload()).to.equal(true);
    expect(await written(file, '', 'configmaps')).to.equal('k8s:enc:aesgcm:v1:k1:');
    expect(Buffer.from((await configMaps.toStorage(Buffer.from('v'), '/k')).subarray(0, 8)).toString()).to.equal(
      'k8s:enc:',
    );
    expect(await written(file, '', 'secrets')).to.equal('v');
  });

  it('keeps its configuration when a reload fails', async () => {
    const file = await load(configuration(entry('secrets', gcm1)), { reloads: true });
    for (const text of ['', 'a: [', configuration(entry("'*'", gcm1))]) {
      await writeFile(path, text);
      let failure: unknown;
      await file.reload().catch((error: unknown) => {
        failure = error;
      });
      expect(failure).to.be.instanceOf(EncryptionConfigurationError);
    }
    expect(await written(file, '', 'secrets')).to.equal('k8s:enc:aesgcm:v1:k1:');
  });

  const refused: readonly { readonly name: string; readonly text: string; readonly message: RegExp }[] = [
    { name: 'an empty file', text: '', message: /is empty$/ },
    {
      name: 'what is not YAML',
      text: 'a: [',
      message: /^error while parsing encryption provider configuration file "[^\n]*$/,
    },
    { name: 'another kind', text: 'apiVersion: v1\nkind: Pod\n', message: /got unexpected config type: v1, Kind=Pod/ },
    {
      name: 'no resources',
      text: configuration('  []'),
      message: /resources: Required value: at least one resources is required/,
    },
    {
      name: 'no providers',
      text: configuration(entry('secrets', '')),
      message: /resources\[0\]\.providers: Required value: at least one resources\[0\]\.providers is required/,
    },
    {
      name: 'two providers in one',
      text: configuration(entry('secrets', '{identity: {}, aesgcm: {keys: []}}')),
      message: /more than one provider specified in a single element/,
    },
    {
      name: 'an unknown provider',
      text: configuration(entry('secrets', '{rot13: {}}')),
      message: /strict decoding error: unknown field "resources\[0\]\.providers\[0\]\.rot13"$/,
    },
    {
      name: 'mistyped fields',
      text: configuration(`- resource: [secrets]\n  providers: [{aesgcm: {key: []}}]\n`),
      message:
        /strict decoding error: unknown field "resources\[0\]\.providers\[0\]\.aesgcm\.key", unknown field "resources\[0\]\.resource"$/,
    },
    {
      name: 'no provider in one',
      text: configuration(entry('secrets', '{}')),
      message: /provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity/,
    },
    {
      name: 'a key that is too short',
      text: configuration(entry('secrets', '{aesgcm: {keys: [{name: k, secret: AAAA}]}}')),
      message:
        /resources\[0\]\.providers\[0\]\.aesgcm\.keys\[0\]\.secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of \[16 24 32\]/,
    },
    {
      name: 'a key that is not base64',
      text: configuration(entry('secrets', '{secretbox: {keys: [{name: k, secret: "!"}]}}')),
      message: /secrets must be base64 encoded/,
    },
    {
      name: 'a key without name',
      text: configuration(entry('secrets', `{aescbc: {keys: [{secret: ${key1}}]}}`)),
      message: /keys\[0\]\.name: Required value: name is a mandatory field for a key/,
    },
    {
      name: 'a star alone',
      text: configuration(entry("'*'", gcm1)),
      message: /use '\*\.' to encrypt all the resources from core API group or \*\.\* to encrypt all resources/,
    },
    { name: 'overlapping names', text: configuration(entry("secrets, '*.'", gcm1)), message: /overlapping resources/ },
    {
      name: 'a key twice',
      text: configuration(entry('secrets', gcm1)) + 'kind: EncryptionConfiguration\n',
      message: /strict decoding error: yaml: unmarshal errors: line \d+: key "kind" already set in map$/,
    },
    {
      name: 'a name twice',
      text: configuration(entry('secrets, secrets', gcm1)),
      message: /the same resource cannot be specified multiple times/,
    },
    {
      name: 'a masked resource',
      text: configuration(entry("'*.apps'", gcm1) + entry('deployments.apps', gcm1)),
      message: /resource "deployments\.apps" is masked by earlier rule "\*\.apps"/,
    },
  ];
  for (const { name, text, message } of refused) {
    it(`refuses ${name} in one line`, async () => {
      let failure: unknown;
      await load(text).catch((error: unknown) => {
        failure = error;
      });
      if (!(failure instanceof EncryptionConfigurationError)) return expect.fail(String(failure));
      expect(failure.message).to.match(message);
      expect(failure.message).to.not.include('\n');
      expect(failure.message).to.not.include(key1);
    });
  }

  it('names a file that is not there', async () => {
    let failure: unknown;
    await EncryptionFile.load('/nonexistent/file').catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(EncryptionConfigurationError);
    expect(String(failure)).to.include('"/nonexistent/file"');
  });
});
