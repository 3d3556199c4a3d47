import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

type ErrorBoundaryProps = {
  /** Where the customer is; moving on clears the error. */
  place: string
  children: ReactNode
}

/** Shows the error screen in the place of a page that cannot be drawn; the rest of the shop goes on. A class, for React has no other way. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override componentDidUpdate({ place }: ErrorBoundaryProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Trouble retry={() => this.setState({ hasFailed: false })}>
        This page could not be shown. Your cart and your orders are safe.
      </Trouble>
    )
  }
}

/** The error screen; `retry` is Try Again. */
export const Trouble = ({ retry, children }: { retry: () => void; children: ReactNode }) => (
  <div role="alert">
    <EmptyState
      scene="torn"
      title="Oops! Something went wrong"
      level={1}
      action={
        <>
          <Button tone="primary" onClick={retry}>
            Try Again
          </Button>
          <Button onClick={() => location.reload()}>Refresh Page</Button>
        </>
      }
    >
      {children}
    </EmptyState>
  </div>
)
