-- Which players MSF has told of: the only ones that settlement finds on a team by their names.
create index players_of_msf on source_ids (id) where kind = 'player' and source = 'msf';
