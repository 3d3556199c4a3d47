-- What a mail provider said of an address after it had taken our mail: nobody is there, or has to be asked again.
-- Here and not with the mail, which is forgotten after 90 days. It ends when a link that was mailed there is opened.
ALTER TABLE users ADD COLUMN mail_refused_at timestamptz, ADD COLUMN mail_refusal text CHECK (length(mail_refusal) <= 300);
