import type { Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeTextError } from '../responses/write-text.ts';
import { Logging } from '../logging/logger.ts';

/**
 * /debug/pprof and /debug/flags. The profiles are V8's own (`profile`: a .cpuprofile of `?seconds=`, `heap`: a
 * .heapsnapshot), to be opened in any Chromium's developer tools.
 */
export function installDebugRoutes(app: Express): void {
  app.all('/debug/pprof', (request, response) => {
    response.setHeader('Location', '/debug/pprof/');
    // Only those that read are told in words (net/http, Redirect).
    if (request.method === 'GET' || request.method === 'HEAD')
      write(response, 302, 'text/html; charset=utf-8', '<a href="/debug/pprof/">Found</a>.\n\n');
    else response.writeHead(302, { 'content-length': 0 }).end();
  });
  app.all('/debug/pprof/', (_request, response) => {
    write(
      response,
      200,
      'text/html; charset=utf-8',
      '<html><head><title>/debug/pprof/</title></head><body><p>V8 profiles, for the developer tools of a ' +
        'Chromium browser.</p><ul><li><a href="profile?seconds=30">profile</a>: CPU profile</li><li><a ' +
        'href="heap">heap</a>: heap snapshot</li></ul></body></html>\n',
    );
  });
  app.all('/debug/pprof/profile', cpuProfile);
  app.all('/debug/pprof/heap', (_request, response) => heapSnapshot(response));
  app.all('/debug/flags', (_request, response) => {
    write(
      response,
      200,
      'text/html; charset=utf-8',
      '<html><head><title>/debug/flags/</title></head><body>/debug/flags/<br><br>flags:<br><table><tr><td><a ' +
        `href="/debug/flags/v">v</a> = ${Logging.current.verbosity}</td></tr></table></body></html>\n`,
    );
  });
  app.all('/debug/flags/v', verbosity);
}

/** PUT sets `-v` of the running process. */
function verbosity(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'PUT') {
    write(response, 406, 'text/plain', 'unsupported http method\n');
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    if (text.length < 64) text += chunk;
  });
  request.on('end', () => {
    const level = Number(text.trim());
    if (!Number.isInteger(level)) {
      write(response, 400, 'text/plain', `error: invalid value for level: ${JSON.stringify(text.slice(0, 20))}\n`);
      return;
    }
    Logging.current.verbosity = level;
    write(response, 200, 'text/plain', `successfully set klog.logging.verbosity to ${level}`);
  });
}

async function cpuProfile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const seconds = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('seconds') ?? '30');
  if (!(seconds > 0 && seconds <= 600)) {
    writeTextError(response, 400, 'seconds must be between 0 and 600');
    return;
  }
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      response.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    const { profile } = await session.post('Profiler.stop');
    response.setHeader('Content-Disposition', 'attachment; filename="profile.cpuprofile"');
    write(response, 200, 'application/json', JSON.stringify(profile));
  } finally {
    session.disconnect();
  }
}

async function heapSnapshot(response: ServerResponse): Promise<void> {
  const { getHeapSnapshot } = await import('node:v8');
  response.setHeader('Content-Disposition', 'attachment; filename="heap.heapsnapshot"');
  response.setHeader('Content-Type', 'application/json');
  getHeapSnapshot().pipe(response);
}

function write(response: ServerResponse, code: number, contentType: string, text: string): void {
  if (response.headersSent) return;
  response.setHeader('Content-Type', contentType);
  if (code >= 400) response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.writeHead(code);
  response.end(text);
}
