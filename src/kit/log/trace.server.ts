import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { readCurrent, runAs } from './current.server.ts'

// Sends spans to a collector. Does not load the library unless OTEL_EXPORTER_OTLP_ENDPOINT is set.

type Tracing = { api: typeof import('@opentelemetry/api'); tracer: Tracer; stop: () => Promise<void> }

let tracing: Tracing | undefined

/** Sends spans to `endpoint` (OTLP over HTTP). Returns a function that flushes and stops. */
export async function startTracing({ endpoint, name, version }: { endpoint: string; name: string; version: string }) {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5_000 })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const stop = () => provider.shutdown()
  tracing = { api, tracer: provider.getTracer('primo'), stop }
  return async () => {
    tracing = undefined
    await stop()
  }
}

/** Starts a span, or returns undefined without a collector. `parent` is the traceparent header of a trusted proxy. */
export function startSpan(name: string, attributes: Attributes, parent?: string): Span | undefined {
  if (!tracing) return undefined
  const { api, tracer } = tracing
  const current = readCurrent()?.span
  let context = current ? api.trace.setSpan(api.ROOT_CONTEXT, current) : api.ROOT_CONTEXT
  const remote = !current && parent ? readParent(parent) : undefined
  if (remote) context = api.trace.setSpanContext(context, { ...remote, isRemote: true })
  return tracer.startSpan(name, { kind: current ? api.SpanKind.CLIENT : api.SpanKind.SERVER, attributes }, context)
}

/** Parses a W3C Trace Context header: version, trace, parent, flags. */
function readParent(header: string) {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export function endSpan(span: Span | undefined, error?: unknown) {
  if (!span) return
  if (error !== undefined && tracing)
    span.setStatus({ code: tracing.api.SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
  span.end()
}

export async function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, attributes)
  if (!span) return work()
  try {
    const result = await runAs({ requestId: readCurrent()?.requestId ?? '', span }, work)
    endSpan(span)
    return result
  } catch (error) {
    endSpan(span, error)
    throw error
  }
}
