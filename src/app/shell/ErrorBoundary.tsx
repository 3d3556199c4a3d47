import { Component, type ErrorInfo, type ReactNode } from 'react'
import { report } from '../../kit/watch/caught.client.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'

type ErrorBoundaryProps = {
  /** The path. A change clears the error. */
  place: string
  children: ReactNode
}

/** Shows the error screen if a page fails to render. A class, because React offers no other way. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean; note?: string }> {
  override state: { hasFailed: boolean; note?: string } = { hasFailed: false }

  static getDerivedStateFromError = () => ({ hasFailed: true, note: '' })

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    const { place } = this.props
    const isHere = () => this.props.place === place
    const remount = () => {
      const isNeeded = this.state.hasFailed && isHere()
      if (isNeeded) this.setState({ hasFailed: false })
      return isNeeded
    }
    const say = (note: string) => this.setState({ note })
    report({ error, render: { componentStack: componentStack ?? '', remount, isHere, say } })
  }

  override componentDidUpdate({ place }: ErrorBoundaryProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Trouble retry={() => this.setState({ hasFailed: false })}>
        We couldn’t show this page. Your cart and orders are safe. {this.state.note}
      </Trouble>
    )
  }
}

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
