import { encodeCBOR, encodeYAML, formatTime, type GroupVersionKind, type KubeObject } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cborMediaType, jsonMediaType, yamlMediaType, type MediaType } from '../negotiation/media-types.ts';
import { negotiateOutput, type EndpointOffer } from '../negotiation/negotiate.ts';
import { writeError } from '../responses/write-status.ts';
import { serverContext } from '../request/server-context.ts';
import type { RoutedServer } from './routed-server.ts';

const group = 'config.k8s.io';
const versions: ReadonlySet<string> = new Set(['v1alpha1', 'v1beta1']);
const deprecatedVersion = 'v1alpha1';
/** What the reference calls itself on these pages, whichever of the chain's servers answers. */
const component = 'apiserver';
/** Plain text is an encoding of its own here; told by identity, its format is never looked at. */
const textMediaType: MediaType = {
  format: 'json',
  type: 'text',
  subtype: 'plain',
  name: 'text/plain',
  streamName: undefined,
};
const uninstructive =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees ' +
  'and is for debugging purposes only.';

/** One debugging page: an object for programs, a text for people. */
interface ZPage {
  readonly kind: string;
  object(): Promise<KubeObject> | KubeObject;
  text(): Promise<string> | string;
}

/**
 * Installs /statusz and /flagz (apiserver/pkg/server/{statusz,flagz}): text, or JSON, YAML and CBOR for who asks
 * `as=Statusz;v=v1beta1;g=config.k8s.io`.
 */
export function installZPages(server: RoutedServer): void {
  const { featureGates } = server.config;
  const pages = [
    ...(featureGates.enabled('ComponentStatusz') ? [statusz(server)] : []),
    ...(featureGates.enabled('ComponentFlagz') ? [flagz(server)] : []),
  ];
  for (const page of pages) {
    const path = `/${page.kind.toLowerCase()}`;
    const offer: EndpointOffer = {
      mediaTypes: [jsonMediaType, yamlMediaType, textMediaType, ...(server.config.cbor ? [cborMediaType] : [])],
      allowsTransform: (mediaType, target) =>
        mediaType === textMediaType ? target === undefined : isPage(target, page.kind),
      allowsServerVersion: () => false,
    };
    server.nonResourceMux.handle(path, (request, response) => {
      serve(request, response, { page, offer }).catch((error: unknown) => {
        writeError(request, response, error);
      });
    });
  }
}

function isPage(target: GroupVersionKind | undefined, kind: string): boolean {
  return target !== undefined && target.group === group && target.kind === kind && versions.has(target.version);
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { page, offer }: { readonly page: ZPage; readonly offer: EndpointOffer },
): Promise<void> {
  serverContext(request).answersCBOR = offer.mediaTypes.includes(cborMediaType);
  const accept = request.headers.accept?.trim() ?? '';
  const output = accept === '' ? { mediaType: textMediaType, convert: undefined } : negotiateOutput(accept, offer);
  const { convert, mediaType } = output;
  if (convert === undefined) {
    send(response, 'text/plain; charset=utf-8', Buffer.from(await page.text()));
    return;
  }
  if (convert.version === deprecatedVersion)
    serverContext(request).addWarning(
      `This version of the ${page.kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`,
    );
  const object = { kind: page.kind, apiVersion: `${group}/${convert.version}`, ...(await page.object()) };
  send(response, mediaType.name, await encoded(mediaType, object));
}

function encoded(mediaType: MediaType, object: KubeObject): Buffer | Promise<Buffer> {
  if (mediaType === yamlMediaType) return encodeYAML(object);
  return mediaType === cborMediaType ? encodeCBOR(object) : Buffer.from(`${JSON.stringify(object)}\n`);
}

function statusz(server: RoutedServer): ZPage {
  const startedAt = Date.now() - process.uptime() * 1_000;
  const { version } = server.config;
  const facts = async (): Promise<KubeObject> => ({
    metadata: { name: component },
    startTime: formatTime(startedAt),
    uptimeSeconds: Math.floor(process.uptime()),
    goVersion: version.goVersion,
    binaryVersion: version.gitVersion.replace(/^v/, ''),
    emulationVersion: `${version.emulationMajor}.${version.emulationMinor}`,
    paths: await debugPaths(server),
  });
  return {
    kind: 'Statusz',
    object: facts,
    async text() {
      const { startTime, uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths } = await facts();
      return (
        `\n${component} statusz\n${uninstructive}\n\nStarted: ${unixDate(String(startTime))}\nUp: ` +
        `${hoursOf(Number(uptimeSeconds))}\nGo version: ${String(goVersion)}\nBinary version: ` +
        `${String(binaryVersion)}\nEmulation version: ${String(emulationVersion)}\nPaths: ` +
        `${(paths as string[]).join(' ')}\n`
      );
    },
  };
}

/** Go's time.UnixDate, in UTC. */
function unixDate(time: string): string {
  const [day, date = '', month, year, clock] = new Date(time).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${String(Number(date)).padStart(2)} ${clock} UTC ${year}`;
}

/** `0 hr 02 min 05 sec` (apiserver/pkg/server/statusz, 1.36). */
function hoursOf(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}

/** First segments of the paths that help to find out what is wrong. */
async function debugPaths(server: RoutedServer): Promise<string[]> {
  const roots = (await server.listedPaths()).map((path) => `/${path.split('/')[1] ?? ''}`);
  return [...new Set(roots)].filter(
    (path) => !['/', '/apis', '/api', '/openid', '/openapi', '/.well-known'].includes(path),
  );
}

function flagz(server: RoutedServer): ZPage {
  const { flags } = server.config;
  return {
    kind: 'Flagz',
    object: () => ({
      metadata: { name: component },
      flags: Object.fromEntries(flags()),
    }),
    text: () =>
      `\n${component} flagz\n${uninstructive}\n${[...flags()].map(([name, value]) => `${name}=${value}\n`).join('')}`,
  };
}

function send(response: ServerResponse, contentType: string, body: Buffer): void {
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', body.length);
  response.writeHead(200);
  response.end(body);
}
