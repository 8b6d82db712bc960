/* main.c - placeholder until the commands exist. */
int main(void)
{
    return 0;
}
