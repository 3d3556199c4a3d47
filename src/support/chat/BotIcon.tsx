/** The assistant's icon. lucide's icon would add a chunk that the home page does not need. */
export const BotIcon = () => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 9h14v10H5zM12 9V5.5M12 5h.01M9 13.3v1.4M15 13.3v1.4M2.8 13v3M21.2 13v3" />
  </svg>
)

export const SendIcon = () => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 12h13.5M12.5 5.5L19 12l-6.5 6.5" />
  </svg>
)
