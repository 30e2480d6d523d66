#!/usr/bin/env escript
%%! -hidden -kernel inet_dist_use_interface {127,0,0,1}
%% Evaluates Erlang expressions inside a RabbitMQ node, as `rabbitmqctl eval` does, but without starting a new Erlang for
%% each: one expression in per line, one answer out per line ("ok" or "error", a space, the value in base64).
main([Self, Node]) ->
	{ok, _} = net_kernel:start([list_to_atom(Self), shortnames]),
	answer_all(list_to_atom(Node)).

answer_all(Node) ->
	case io:get_line("") of
		Line when is_list(Line) ->
			{Tag, Text} = answer(Node, Line),
			io:format("~s ~s~n", [Tag, base64:encode(Text)]),
			answer_all(Node);
		_ -> ok
	end.

answer(Node, Line) ->
	try
		{ok, Tokens, _} = erl_scan:string(Line),
		{ok, Expressions} = erl_parse:parse_exprs(Tokens),
		case rpc:call(Node, erl_eval, exprs, [Expressions, []], 15000) of
			{value, {error, Reason}, _} -> {error, text(Reason)};
			{value, Value, _} -> {ok, text(Value)};
			{badrpc, Reason} -> {error, text(Reason)}
		end
	catch
		Class:Problem -> {error, text({Class, Problem})}
	end.

text(Value) when is_binary(Value) -> Value;
text(Value) -> unicode:characters_to_binary(io_lib:format("~tp", [Value])).
