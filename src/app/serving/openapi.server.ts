import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isForStaff } from '../../kit/contract.ts'
import { handleRaw, type Route } from '../../kit/handle.server.ts'
import { pageHeaders } from '../../kit/serve/headers.server.ts'
import { escapeHtml, html } from '../../kit/html.server.ts'

type Operation = {
  summary: string
  description: string
  security?: object[]
  parameters?: object[]
  requestBody?: object
  responses: Record<string, object>
}

function describeApi(routes: Route[], storeName: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    if (route.kind === 'raw') continue
    const { endpoint } = route
    const [method, path] = endpoint.line.split(' ') as [string, string]
    const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, object>
      required?: string[]
    }
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const others = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name))
    const required = schema.required ?? []
    const parameters = [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: schema.properties?.[name] })),
      ...(method === 'GET'
        ? others.map(([name, property]) => ({ name, in: 'query', required: required.includes(name), schema: property }))
        : []),
    ]
    const body = method !== 'GET' &&
      others.length > 0 && {
        required: true,
        ...json({
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(others),
          required: required.filter((name) => !inPath.includes(name)),
        }),
      }
    ;(paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = {
      summary: endpoint.about,
      description: `Access: ${endpoint.access}.${endpoint.stepUp ? ' Needs a proof of identity that is at most ten minutes old.' : isForStaff(endpoint.access) ? ' Needs a working session of staff.' : ''}`,
      ...(endpoint.access === 'token' && { security: [{ productToken: [] }] }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: {
        [endpoint.status]: {
          description: 'Done.',
          ...json(z.toJSONSchema(endpoint.reply, { io: 'output', unrepresentable: 'any' })),
        },
        '4XX': {
          description: 'Refused; `message` says why.',
          ...json({ type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }),
        },
      },
    }
  }
  const productToken = {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of one product, which its seller makes.',
  }
  const components = { securitySchemes: { productToken } }
  return { openapi: '3.1.0', info: { title: `${storeName} API`, version: '1' }, components, paths }
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

export function apiRoutes(routes: Route[], storeName: string): Route[] {
  const serve = (path: `/${string}`, about: string, type: string, write: () => string) => {
    const own = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, no-cache' }
    const headers = { ...pageHeaders({}), ...own }
    let body: string | undefined
    return handleRaw(`GET ${path}`, { access: 'public', about }, async () => {
      body ??= write()
      return { status: 200, headers, body }
    })
  }
  return [
    serve('/openapi.json', 'This API as OpenAPI 3.1.', 'application/json', () =>
      JSON.stringify(describeApi(routes, storeName)),
    ),
    serve('/docs', 'This API for people.', 'text/html', () => docsPage(routes, storeName)),
  ]
}

function docsPage(routes: Route[], storeName: string): string {
  const page = readFileSync(join(import.meta.dirname, 'docs.html'), 'utf8')
  const rows = routes.map((route) => {
    const { line, access, about } = route.kind === 'raw' ? route : route.endpoint
    const [method, path] = line.split(' ')
    const row = html`<tr>
      <td><code>${method}</code></td>
      <td><code>${path}</code></td>
      <td>${access}</td>
      <td>${about}</td>
    </tr>`
    return row.html
  })
  return page.replaceAll('%STORE_NAME%', () => escapeHtml(storeName)).replace('%ROWS%', () => rows.join(''))
}
