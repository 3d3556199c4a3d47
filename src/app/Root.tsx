import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'

/** Must be the same tree on the server and in the browser, because React derives element ids from it. */
export const Root = (props: { client: QueryClient; onShown?: () => void; children: ReactNode }) => (
  <QueryClientProvider client={props.client}>
    <ErrorBoundary place="">{props.children}</ErrorBoundary>
    <Shown onShown={props.onShown} />
  </QueryClientProvider>
)

/** Outside the boundary, because the buttons of an error screen must work too. */
function Shown({ onShown }: { onShown: (() => void) | undefined }) {
  useEffect(() => onShown?.(), [onShown])
  return null
}
