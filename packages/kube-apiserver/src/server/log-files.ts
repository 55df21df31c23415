import type { Dirent, Stats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { detectContentType, escapeDecodedPath, sniffBytes, writeTextError } from '@kubechain/apiserver/proxies';
import { beginContent, checkMethod, isUnmodified, writeError } from '@kubechain/apiserver/servers';
import type { NonResourceMux } from '@kubechain/apiserver/servers';

/** Types that Go knows by a name's ending without a table of the machine's (mime/type.go, Go 1.26). */
const typesByEnding: ReadonlyMap<string, string> = new Map([
  ['.avif', 'image/avif'],
  ['.css', 'text/css; charset=utf-8'],
  ['.gif', 'image/gif'],
  ['.htm', 'text/html; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.pdf', 'application/pdf'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.wasm', 'application/wasm'],
  ['.webp', 'image/webp'],
  ['.xml', 'text/xml; charset=utf-8'],
]);

/** Serves the files of a directory below `/logs/`. */
export function installLogFiles(mux: NonResourceMux, directory: string): void {
  const serve = logFileHandler(directory);
  mux.handle('/logs', serve);
  mux.handlePrefix('/logs/', serve, { listed: false });
}

/**
 * Answers requests below `/logs/` with what is in a directory: files with ranges and conditional requests, directories
 * as lists of links (pkg/routes/logs.go of 1.36, which hands it to Go's http.ServeFile). Links of the file system are
 * followed.
 */
export function logFileHandler(directory: string): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    serveLogFile(request, response, directory).catch((error: unknown) => {
      writeError(request, response, error);
    });
  };
}

async function serveLogFile(request: IncomingMessage, response: ServerResponse, directory: string): Promise<void> {
  checkMethod(request);
  const [escaped = '', query] = (request.url ?? '').split('?', 2);
  const path = decoded(escaped);
  if (path === undefined || path.split(/[/\\]/).includes('..')) {
    writeTextError(response, 400, 'invalid URL path');
    return;
  }
  const redirect = (to: string): void => {
    response.setHeader('Location', query === undefined ? to : `${to}?${query}`);
    response.writeHead(301).end();
  };
  if (path.endsWith('/index.html')) {
    redirect('./');
    return;
  }
  const file = join(directory, path.slice('/logs'.length));
  try {
    const found = await stat(file);
    if (found.isFile()) await sendFile(request, response, { file, found });
    // A pipe or a device would keep whoever opens it waiting.
    else if (!found.isDirectory()) writeTextError(response, 403, '403 Forbidden');
    else if (!path.endsWith('/')) redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`);
    else await sendDirectory(request, response, { file, found });
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, error);
  }
}

interface Found {
  readonly file: string;
  readonly found: Stats;
}

async function sendDirectory(
  request: IncomingMessage,
  response: ServerResponse,
  { file, found }: Found,
): Promise<void> {
  const index = join(file, 'index.html');
  // A folder without a readable index is listed.
  const page = await stat(index).catch((): undefined => undefined);
  if (page?.isFile() === true) {
    await sendFile(request, response, { file: index, found: page });
    return;
  }
  if (isUnmodified(request, found.mtimeMs)) {
    response.writeHead(304).end();
    return;
  }
  const entries = await readdir(file, { withFileTypes: true });
  response.setHeader('Last-Modified', found.mtime.toUTCString());
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.writeHead(200).end(listOf(entries));
}

function listOf(entries: readonly Dirent[]): string {
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  const links = names
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((name) => `<a href="${reference(name)}">${escapeHTML(name)}</a>\n`);
  return '<!doctype html>\n<meta name="viewport" content="width=device-width">\n' + `<pre>\n${links.join('')}</pre>\n`;
}

/** A relative reference: a colon in its first part would make a scheme of what is before it. */
function reference(name: string): string {
  const path = escapeDecodedPath(name);
  return path.includes(':') ? `./${path}` : path;
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, found: { mtimeMs, size } }: Found,
): Promise<void> {
  await using handle = await open(file);
  const contentType = typesByEnding.get(extname(file).toLowerCase()) ?? (await typeOf(handle));
  const range = beginContent(request, response, { size, lastModified: mtimeMs, contentType });
  if (range === undefined) return;
  if (range.start === range.end) response.end();
  // What is written to the file meanwhile is not a part of this answer, whose length has been told.
  else await pipeline(handle.createReadStream({ start: range.start, end: range.end - 1, autoClose: false }), response);
}

async function typeOf(handle: Awaited<ReturnType<typeof open>>): Promise<string> {
  const beginning = Buffer.alloc(sniffBytes);
  const { bytesRead } = await handle.read(beginning, 0, sniffBytes, 0);
  return detectContentType(beginning.subarray(0, bytesRead));
}

/** Source: net/http/fs.go toHTTPError, Go 1.26. */
function refuse(response: ServerResponse, error: unknown): void {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      writeTextError(response, 404, '404 page not found');
      return;
    case 'ENAMETOOLONG':
      writeTextError(response, 404, 'file not found');
      return;
    case 'EACCES':
    case 'EPERM':
      writeTextError(response, 403, '403 Forbidden');
      return;
    default:
      writeTextError(response, 500, '500 Internal Server Error');
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeHTML(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
