/** Fills the screen until the session is known. index.html contains the same markup. */
export const Loading = () => (
  <div className="loading" role="status">
    <span className="spinner spinner--lg" aria-hidden />
    Loading...
  </div>
)
