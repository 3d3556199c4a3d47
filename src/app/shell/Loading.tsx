/** Fills the screen while it is not known who is there. index.html holds the same until this script runs. */
export const Loading = () => (
  <div className="loading" role="status">
    <span className="spinner spinner--lg" aria-hidden />
    Loading...
  </div>
)
