import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { listenLocally, localhostCertificate } from '../harness/local-https.ts';
import { definition, definitions, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import type { HostileRow } from './row.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, review: Review) => void;
interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
}

const json = { 'content-type': 'application/json' };
const plural = '/apis/hostile.example/v1/namespaces/hostile/bends';
const other = '/apis/hostile.example/v2/namespaces/hostile/bends';

/** Sends the same until nobody listens any more, or a minute is over. */
function pour(response: ServerResponse, piece: string | Buffer): void {
  const end = performance.now() + 60_000;
  const more = (): void => {
    while (!response.destroyed && performance.now() < end) {
      if (response.write(piece)) continue;
      response.once('drain', more);
      return;
    }
    response.destroy();
  };
  more();
}

function converted({ apiVersion, request }: Review, objects: readonly unknown[], more: object = {}): string {
  return JSON.stringify({
    apiVersion,
    kind: 'ConversionReview',
    response: { uid: request.uid, convertedObjects: objects, result: { status: 'Success' }, ...more },
  });
}

/** A definition whose objects the row's own server converts, objects of it, and questions for the other version. */
function conversion(name: string, answer: Answer): HostileRow {
  return attack(`conversion: ${name}`, async (target) => {
    const { cert, key } = localhostCertificate();
    const server = createServer({ cert, key }, (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        let review: Review = { apiVersion: '', request: { uid: '', desiredAPIVersion: '', objects: [] } };
        try {
          review = JSON.parse(Buffer.concat(pieces).toString()) as Review;
        } catch {
          // A redirect has led here.
        }
        answer(request, response, review);
      });
      response.on('error', () => undefined);
    });
    const port = await listenLocally(server);
    try {
      const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const whole = JSON.parse(definition('bend', schema)) as { spec: { versions: object[] } };
      const [version] = whole.spec.versions;
      Object.assign(whole.spec, {
        versions: [version, { ...version, name: 'v2', storage: false }],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: `https://localhost:${port}/`, caBundle: Buffer.from(cert).toString('base64') },
          },
        },
      });
      const made = await target.http2([post(definitions, JSON.stringify(whole))]);
      for (let tries = 0; tries < 100; tries++) {
        const { statuses } = await target.http2([{ path: plural }]);
        if (statuses[0] === 200) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const objects = Array.from({ length: 20 }, (_, i) =>
        post(
          plural,
          JSON.stringify({
            apiVersion: 'hostile.example/v1',
            kind: 'Bend',
            metadata: { name: `b${i}` },
            spec: { a: i },
          }),
        ),
      );
      const stored = await target.http2(objects);
      const asked = await target.http2([
        ...Array.from({ length: 10 }, (_, i) => ({ path: `${other}/b${i}` })),
        { path: other },
        { path: `${other}?watch=true&timeoutSeconds=2` },
      ]);
      return { statuses: [...made.statuses, ...stored.statuses, ...asked.statuses], text: asked.text };
    } finally {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
  });
}

/** What servers that are asked by the chain may answer, if they mean no good. */
export const backendRows: readonly HostileRow[] = [
  conversion('an answer without an end', (_request, response) => {
    response.writeHead(200, json);
    pour(response, ' '.repeat(1 << 20));
  }),
  conversion('an answer of 30 MB of objects', (_request, response, review) => {
    response.writeHead(200, json);
    response.end(converted(review, []).replace('[]', `[${'{},'.repeat(10_000_000)}{}]`));
  }),
  conversion('an answer of 30 MB of lists in lists', (_request, response) => {
    response.writeHead(200, json);
    response.end('['.repeat(30_000_000));
  }),
  conversion('objects of 20 MB', (_request, response, review) => {
    response.writeHead(200, json);
    response.end(
      converted(
        review,
        review.request.objects.map((object) => ({
          ...object,
          apiVersion: review.request.desiredAPIVersion,
          spec: 'x'.repeat(1 << 20),
        })),
      ),
    );
  }),
  conversion('objects of 1,500 levels', (_request, response, review) => {
    response.writeHead(200, json);
    const deep = JSON.parse(`${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`) as object;
    response.end(
      converted(
        review,
        review.request.objects.map((object) => ({
          ...object,
          apiVersion: review.request.desiredAPIVersion,
          spec: deep,
        })),
      ),
    );
  }),
  conversion('no JSON', (_request, response) => {
    response.writeHead(200, json).end('<html>'.repeat(100_000));
  }),
  conversion('objects of others', (_request, response, review) => {
    response.writeHead(200, json).end(
      converted(
        review,
        review.request.objects.map(() => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } })),
      ),
    );
  }),
  conversion('prototypes', (_request, response, review) => {
    response.writeHead(200, json).end(
      converted(
        review,
        review.request.objects.map((object) => ({ ...object, apiVersion: review.request.desiredAPIVersion })),
      ).replaceAll('"spec":', '"__proto__":{"a":1},"constructor":{"b":1},"spec":'),
    );
  }),
  conversion('redirects in a circle', (request, response) => {
    response.writeHead(307, { location: request.url ?? '/' }).end();
  }),
  conversion('a redirect to the chain itself', (request, response) => {
    response.writeHead(302, { location: 'https://localhost:1/', 'retry-after': '0' }).end(request.url);
  }),
  conversion('later, it says, for ever', (_request, response) => {
    response.writeHead(429, { 'retry-after': '1' }).end();
  }),
  conversion('headers of a megabyte', (_request, response) => {
    response
      .writeHead(200, {
        ...json,
        ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x-${i}`, 'a'.repeat(1_000)])),
      })
      .end('{}');
  }),
  conversion('early hints without an end', (_request, response) => {
    let left = 20_000;
    const more = (): void => {
      for (let i = 0; i < 100 && left-- > 0; i++) response.writeProcessing();
      if (left > 0 && !response.destroyed) setImmediate(more);
      else response.end();
    };
    more();
  }),
  conversion('a connection that breaks', (request) => {
    request.socket.destroy();
  }),
  conversion('a letter every 100 ms', (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => {
      if (response.destroyed) clearInterval(timer);
      else response.write(' ');
    }, 100);
  }),
];
